"use strict";
exports.id = 863;
exports.ids = [863];
exports.modules = {

/***/ 863:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  openStepMemory: () => (/* binding */ openStepMemory)
});

// UNUSED EXPORTS: identifyStep

// EXTERNAL MODULE: ./src/errors.ts
var errors = __webpack_require__(916);
// EXTERNAL MODULE: ./src/messages/file-problem.ts
var file_problem = __webpack_require__(854);
// EXTERNAL MODULE: ./src/messages/quantities.ts
var quantities = __webpack_require__(107);
;// CONCATENATED MODULE: ./src/messages/memory.ts
/** What is said about the record that a step leaves for a later attempt of its job. */

const consequence = (executions) => `A re-run of this job would not know of ${executions}.`;
/** What the record of a step with one run tells of. */
const one = 'this execution';
const noCache = 'this runner offers no cache';
/** The cache holds the key already, or another attempt is saving it. */
const recordTaken = 'The record for a re-run is in the cache already, or is just being saved there.';
/** `why` is in the cache service's own words. */
function describeDenied(why, executions = one) {
    return `This job may not write to the cache (${why}). ${consequence(executions)}`;
}
function describeUnsaved(why, executions = one) {
    return `The record for a re-run was not saved: ${why}. ${consequence(executions)}`;
}
/** Given up on the way: nobody knows how far it got. */
function describeUnfinishedSave(span, lastWords) {
    return `The record for a re-run may not have been saved: ${describeLate(span, lastWords)}.`;
}
/** `lastWords`: what the client had printed before it was given up. */
function describeLate(span, lastWords) {
    const late = `the cache was not done after ${(0,quantities/* describeElapsed */.gN)(span)}`;
    return lastWords === undefined ? late : `${late} (${lastWords})`;
}

// EXTERNAL MODULE: ./src/runner/storage/step-storage.ts
var step_storage = __webpack_require__(288);
// EXTERNAL MODULE: ./src/runner/workflow-run.ts
var workflow_run = __webpack_require__(93);
// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(598);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(760);
var external_node_path_default = /*#__PURE__*/__webpack_require__.n(external_node_path_);
;// CONCATENATED MODULE: ./src/runner/memory/identity.ts
/**
 * Which step of which job this is, so that a later attempt finds what an earlier one of the same
 * step left, and never what another step left.
 */



/** How many hexadecimal digits of the hash a key holds: 128 bits. */
const digits = 32;
/** `occurrence`: how many steps of this job had the same parts before (see {@link countOccurrence}). */
function identityOf(parts, occurrence) {
    const { job, matrix, step, baseUrl, project, automation, webhook, seed, rerunKey } = parts;
    // A list, not an object: the order is a part of the frozen format.
    const list = [job, matrix, step, baseUrl, project, automation, webhook, seed, rerunKey];
    return (0,external_node_crypto_.createHash)('sha256')
        .update(JSON.stringify([...list, occurrence]))
        .digest('hex')
        .slice(0, digits);
}
/**
 * Counts the steps of this job that came to the same identity, the first being 0. Steps of a job
 * run one after the other, so a file of the job is enough.
 */
async function countOccurrence(identity, { folder, runId, attempt }) {
    await (0,promises_.mkdir)(folder, { recursive: true });
    const file = external_node_path_default().join(folder, `run-automation-steps-${runId}-${attempt}.txt`);
    const seen = await (0,promises_.readFile)(file, 'utf8').catch(() => '');
    const occurrence = seen.split('\n').filter((line) => line === identity).length;
    await (0,promises_.writeFile)(file, `${identity}\n`, { flag: 'a' });
    return occurrence;
}

// EXTERNAL MODULE: ./src/clock.ts + 1 modules
var src_clock = __webpack_require__(529);
// EXTERNAL MODULE: ./node_modules/zod/v4/mini/schemas.js + 5 modules
var schemas = __webpack_require__(776);
// EXTERNAL MODULE: ./node_modules/zod/v4/core/api.js
var api = __webpack_require__(759);
// EXTERNAL MODULE: ./src/service/contract.ts
var contract = __webpack_require__(137);
;// CONCATENATED MODULE: ./src/runner/memory/record.ts
/**
 * What an attempt of a job leaves for the next one. The record is the key of a cache entry, so that
 * reading it downloads nothing. The format is frozen: `@v1` may move between two attempts.
 */


/** The cache refuses longer keys. */
const longestKey = 512;
/** What all records of one step in one workflow run begin with. */
function recordPrefix(runId, identity) {
    return `run-automation-${runId}-${identity}-`;
}
/** Undefined where the id is too long to be kept in a key. */
function keyOf(prefix, record) {
    const key = `${prefix}${record.attempt}-${rest(record)}`;
    return key.length <= longestKey ? key : undefined;
}
function rest(record) {
    switch (record.kind) {
        case 'unknown':
            return 'unknown';
        case 'started':
            return encode(record.executionId);
        case 'told':
            return `${encode(record.executionId)}-told-${record.conclusion}`;
    }
}
const recordSchema = schemas/* string */.YjP()
    .check(api/* _regex */.Fk(/^\d{1,9}-(?:unknown|(?:[0-9a-f]{2})+(?:-told-(?:success|error|container-error|stopped))?)$/));
/** Undefined for a key that is none of ours, or whose id breaks the rule for ids. */
function parseKey(prefix, key) {
    if (!key.startsWith(prefix))
        return undefined;
    const parsed = recordSchema.safeParse(key.slice(prefix.length));
    if (!parsed.success)
        return undefined;
    const [attemptText = '', encoded = ''] = parsed.data.split('-');
    const attempt = Number(attemptText);
    if (encoded === 'unknown')
        return { kind: 'unknown', attempt };
    const id = contract/* pathSegmentSchema */.us.safeParse(decode(encoded));
    if (!id.success || encode(id.data) !== encoded)
        return undefined;
    const conclusion = parsed.data.split('-told-')[1];
    return conclusion === undefined
        ? { kind: 'started', attempt, executionId: id.data }
        : { kind: 'told', attempt, executionId: id.data, conclusion };
}
// Hexadecimal: ids may hold hyphens and commas, which separate here and are refused in keys.
function encode(id) {
    return Buffer.from(id).toString('hex');
}
function decode(text) {
    return Buffer.from(text, 'hex').toString();
}

;// CONCATENATED MODULE: ./src/runner/memory/record-saver.ts
var __addDisposableResource = (undefined && undefined.__addDisposableResource) || function (env, value, async) {
    if (value !== null && value !== void 0) {
        if (typeof value !== "object" && typeof value !== "function") throw new TypeError("Object expected.");
        var dispose, inner;
        if (async) {
            if (!Symbol.asyncDispose) throw new TypeError("Symbol.asyncDispose is not defined.");
            dispose = value[Symbol.asyncDispose];
        }
        if (dispose === void 0) {
            if (!Symbol.dispose) throw new TypeError("Symbol.dispose is not defined.");
            dispose = value[Symbol.dispose];
            if (async) inner = dispose;
        }
        if (typeof dispose !== "function") throw new TypeError("Object not disposable.");
        if (inner) dispose = function() { try { inner.call(this); } catch (e) { return Promise.reject(e); } };
        env.stack.push({ value: value, dispose: dispose, async: async });
    }
    else if (async) {
        env.stack.push({ async: true });
    }
    return value;
};
var __disposeResources = (undefined && undefined.__disposeResources) || (function (SuppressedError) {
    return function (env) {
        function fail(e) {
            env.error = env.hasError ? new SuppressedError(e, env.error, "An error was suppressed during disposal.") : e;
            env.hasError = true;
        }
        var r, s = 0;
        function next() {
            while (r = env.stack.pop()) {
                try {
                    if (!r.async && s === 1) return s = 0, env.stack.push(r), Promise.resolve().then(next);
                    if (r.dispose) {
                        var result = r.dispose.call(r.value);
                        if (r.async) return s |= 2, Promise.resolve(result).then(next, function(e) { fail(e); return next(); });
                    }
                    else s |= 1;
                }
                catch (e) {
                    fail(e);
                }
            }
            if (s === 1) return env.hasError ? Promise.reject(env.error) : Promise.resolve();
            if (env.hasError) throw env.error;
        }
        return next();
    };
})(typeof SuppressedError === "function" ? SuppressedError : function (error, suppressed, message) {
    var e = new Error(message);
    return e.name = "SuppressedError", e.error = error, e.suppressed = suppressed, e;
});
/** Saves the keys of records one after the other. */


// Milliseconds. While the run is waited for there is time for the client's own retries.
const longestSave = 60_000;
/** What saving may add to a step's end. */
const longestClose = 3_000;
class RecordSaver {
    #context;
    #said = new Set();
    #closed = new AbortController();
    #next;
    /** Gives up the save that is under way. */
    #current = new AbortController();
    #work;
    constructor(context) {
        this.#context = context;
    }
    /**
     * Resolves once this key, or a newer one in its place, is saved or given up: only the newest of
     * those that wait is saved, since the newest decides.
     */
    async save(key) {
        this.#next = key;
        this.#work ??= this.#saveAll().finally(() => (this.#work = undefined));
        await this.#work;
    }
    /** Waits for what is being saved, at most 3 s; what comes later is not saved any more. */
    async close() {
        const done = new AbortController();
        // The newest is what matters: one before it gets half of the time.
        if (this.#next !== undefined)
            this.#abortAfter(longestClose / 2, this.#current, done.signal);
        if (this.#work)
            this.#abortAfter(longestClose, this.#closed, done.signal);
        await this.#work;
        done.abort();
        this.#closed.abort();
    }
    #abortAfter(span, controller, done) {
        this.#context.clock.sleep(span, done).then(() => controller.abort(), () => undefined);
    }
    async #saveAll() {
        const { clock, save, log } = this.#context;
        for (let key = this.#next; key !== undefined; key = this.#next) {
            const env_1 = { stack: [], error: void 0, hasError: false };
            try {
                this.#next = undefined;
                this.#current = new AbortController();
                const closing = AbortSignal.any([this.#current.signal, this.#closed.signal]);
                const deadline = __addDisposableResource(env_1, new src_clock/* Deadline */.B2(clock, longestSave, closing), false);
                const before = clock.now();
                const answer = await save(key, deadline.signal);
                const problem = this.#problemIn(answer, clock.now() - before);
                if (problem === undefined)
                    log.debug(`Saved for a re-run: ${key}`);
                else
                    this.#say(problem);
            }
            catch (e_1) {
                env_1.error = e_1;
                env_1.hasError = true;
            }
            finally {
                __disposeResources(env_1);
            }
        }
    }
    #problemIn(answer, took) {
        const { words, executions } = this.#context;
        if (answer.kind === 'failure')
            return describeUnsaved(words(answer.message), executions);
        if (answer.kind === 'given-up')
            return this.#givenUp(answer.lastLine, took);
        const { report } = answer;
        switch (report.kind) {
            case 'saved':
                return undefined;
            case 'taken':
                return recordTaken;
            case 'denied':
                return describeDenied(words(report.why), executions);
            case 'failed':
                return describeUnsaved(words(report.why), executions);
        }
    }
    #givenUp(lastLine, took) {
        if (took === 0)
            return describeUnsaved('the step had ended', this.#context.executions);
        const lastWords = lastLine === undefined ? undefined : this.#context.words(lastLine);
        return describeUnfinishedSave(took, lastWords);
    }
    /** The same problem is told once, however many records meet it. */
    #say(text) {
        if (!this.#said.has(text))
            this.#context.log.info(text);
        this.#said.add(text);
    }
}

;// CONCATENATED MODULE: ./src/runner/memory/memory.ts
var memory_addDisposableResource = (undefined && undefined.__addDisposableResource) || function (env, value, async) {
    if (value !== null && value !== void 0) {
        if (typeof value !== "object" && typeof value !== "function") throw new TypeError("Object expected.");
        var dispose, inner;
        if (async) {
            if (!Symbol.asyncDispose) throw new TypeError("Symbol.asyncDispose is not defined.");
            dispose = value[Symbol.asyncDispose];
        }
        if (dispose === void 0) {
            if (!Symbol.dispose) throw new TypeError("Symbol.dispose is not defined.");
            dispose = value[Symbol.dispose];
            if (async) inner = dispose;
        }
        if (typeof dispose !== "function") throw new TypeError("Object not disposable.");
        if (inner) dispose = function() { try { inner.call(this); } catch (e) { return Promise.reject(e); } };
        env.stack.push({ value: value, dispose: dispose, async: async });
    }
    else if (async) {
        env.stack.push({ async: true });
    }
    return value;
};
var memory_disposeResources = (undefined && undefined.__disposeResources) || (function (SuppressedError) {
    return function (env) {
        function fail(e) {
            env.error = env.hasError ? new SuppressedError(e, env.error, "An error was suppressed during disposal.") : e;
            env.hasError = true;
        }
        var r, s = 0;
        function next() {
            while (r = env.stack.pop()) {
                try {
                    if (!r.async && s === 1) return s = 0, env.stack.push(r), Promise.resolve().then(next);
                    if (r.dispose) {
                        var result = r.dispose.call(r.value);
                        if (r.async) return s |= 2, Promise.resolve(result).then(next, function(e) { fail(e); return next(); });
                    }
                    else s |= 1;
                }
                catch (e) {
                    fail(e);
                }
            }
            if (s === 1) return env.hasError ? Promise.reject(env.error) : Promise.resolve();
            if (env.hasError) throw env.error;
        }
        return next();
    };
})(typeof SuppressedError === "function" ? SuppressedError : function (error, suppressed, message) {
    var e = new Error(message);
    return e.name = "SuppressedError", e.error = error, e.suppressed = suppressed, e;
});
/**
 * What a step leaves for a later attempt of its job, and finds of an earlier one, in the Actions
 * cache. A key is a record (record.ts); what the cache cannot do is said and fails nothing.
 */




/** Milliseconds. A start waits that long, so it must be short; a service that is up needs 0.1 s. */
const longestFind = 10_000;
const pauseBeforeSecondTry = 1_000;
function openMemory(context) {
    const { environment, identity, storage, log, secrets, clock } = context;
    const runId = environment['GITHUB_RUN_ID'] ?? '';
    // Without it, records of one workflow run would be found by another.
    if (runId === '')
        return withoutMemory('GITHUB_RUN_ID is not set', log);
    const prefix = recordPrefix(runId, identity);
    const saver = new RecordSaver({
        save: (key, signal) => storage.save(key, signal),
        words: (text) => secrets.words(text),
        ...{ log, clock },
    });
    return {
        find: () => find(prefix, context),
        remember: async (record) => {
            const key = keyOf(prefix, record);
            // Whoever may list caches can read a key.
            if (holdsSecret(record, secrets))
                log.info(describeUnsaved('the execution’s id holds a secret'));
            else if (key === undefined)
                log.info(describeUnsaved('the execution’s id is too long for a key'));
            else
                await saver.save(key);
        },
        close: () => saver.close(),
    };
}
/** For a step that can't be told from others: it finds and saves nothing, and says why. */
function withoutMemory(why, log) {
    let said = false;
    return {
        find: () => Promise.resolve({ kind: 'unreadable', why }),
        remember: () => {
            if (!said)
                log.info(describeUnsaved(why));
            said = true;
            return Promise.resolve();
        },
        close: () => Promise.resolve(),
    };
}
function holdsSecret(record, secrets) {
    if (record.kind === 'unknown')
        return false;
    return !record.executionId.includes('***') && secrets.show(record.executionId).includes('***');
}
/** One reset connection must not start a second run beside one that goes on. */
function isPassing(answer) {
    return (answer.kind === 'report' && answer.report.kind === 'failed' && answer.report.why !== noCache);
}
async function find(prefix, { storage, secrets, log, clock, cancelled }) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const unreadable = (why) => ({ kind: 'unreadable', why: secrets.words(why) });
        const deadline = memory_addDisposableResource(env_1, new src_clock/* Deadline */.B2(clock, longestFind, cancelled), false);
        let answer = await storage.find(prefix, deadline.signal);
        if (isPassing(answer)) {
            await clock.sleep(pauseBeforeSecondTry, deadline.signal).catch(() => undefined);
            if (!deadline.signal.aborted)
                answer = await storage.find(prefix, deadline.signal);
        }
        if (answer.kind === 'failure')
            return unreadable(answer.message);
        if (answer.kind === 'given-up') {
            if (cancelled.aborted)
                return unreadable('the step was cancelled');
            return unreadable(describeLate(longestFind, answer.lastLine));
        }
        const { report } = answer;
        if (report.kind === 'none')
            return { kind: 'nothing' };
        if (report.kind === 'failed')
            return unreadable(report.why);
        log.debug(`The newest record of this step: ${report.key}`);
        const record = parseKey(prefix, report.key);
        return record
            ? { kind: 'found', record }
            : unreadable('the newest record was written by another version of this action');
    }
    catch (e_1) {
        env_1.error = e_1;
        env_1.hasError = true;
    }
    finally {
        memory_disposeResources(env_1);
    }
}

;// CONCATENATED MODULE: ./src/runner/memory/step-memory.ts
/** The memory of one step: what tells the step apart, and where its records are kept. */







/** Counts the step, so it must be called once in every step. Never rejects. */
async function openStepMemory(subject, step, storage) {
    try {
        const identity = await identifyStep(subject, step.environment);
        const { environment, log, secrets, clock, cancelled } = step;
        const context = { environment, log, secrets, clock, cancelled, identity };
        const hasCache = (0,step_storage/* hasCacheService */.G)(environment);
        return openMemory({ ...context, storage: hasCache ? lazily(storage) : nowhere });
    }
    catch (error) {
        return withoutMemory(`RUNNER_TEMP cannot be used: ${(0,file_problem/* describeFileProblem */.R)(error)}`, step.log);
    }
}
/** Counts the step. */
async function identifyStep(subject, environment) {
    // Outside of GitHub there is no memory (memory.ts), and so nothing to tell apart.
    if (!environment['GITHUB_RUN_ID'])
        return '';
    const parts = partsOf(subject, environment);
    const place = {
        folder: environment['RUNNER_TEMP'] ?? '',
        runId: environment['GITHUB_RUN_ID'],
        attempt: String((0,workflow_run/* attemptOf */.tx)(environment)),
    };
    return identityOf(parts, await countOccurrence(identityOf(parts, 0), place));
}
function partsOf({ start, again, connection }, environment) {
    return {
        job: environment['GITHUB_JOB'] ?? '',
        matrix: again.matrix,
        step: environment['GITHUB_ACTION'] ?? '',
        baseUrl: connection.baseUrl,
        project: start.project,
        automation: start.automation,
        webhook: start.webhook ?? '',
        seed: start.seed ?? '',
        rerunKey: again.rerunKey,
    };
}
function lazily(storage) {
    const failed = (error) => ({ kind: 'failure', name: 'Error', message: (0,errors/* messageOf */.bD)(error) });
    return {
        find: (prefix, signal) => storage.open().then((thread) => thread.find(prefix, signal), failed),
        save: (key, signal) => storage.open().then((thread) => thread.save(key, signal), failed),
    };
}
/** Without a cache no thread is started only to say that there is none. */
const nowhere = {
    find: () => Promise.resolve({ kind: 'report', report: { kind: 'failed', why: noCache } }),
    save: () => Promise.resolve({ kind: 'report', report: { kind: 'failed', why: noCache } }),
};


/***/ })

};
;