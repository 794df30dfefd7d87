"use strict";
exports.id = 889;
exports.ids = [889];
exports.modules = {

/***/ 889:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  followToTheEnd: () => (/* binding */ followToTheEnd)
});

// UNUSED EXPORTS: conclusionOf

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(760);
var external_node_path_default = /*#__PURE__*/__webpack_require__.n(external_node_path_);
// EXTERNAL MODULE: ./src/messages/text/untrusted-text.ts
var untrusted_text = __webpack_require__(958);
;// CONCATENATED MODULE: ./src/runner/workflow-run.ts
function workflowRunOf(environment) {
    const read = (name) => environment[`GITHUB_${name}`] ?? '';
    const run = {
        repository: read('REPOSITORY'),
        run_id: read('RUN_ID'),
        attempt: read('RUN_ATTEMPT'),
    };
    return {
        repository: run.repository,
        workflow: read('WORKFLOW'),
        job: read('JOB'),
        run_id: run.run_id,
        run_attempt: run.attempt,
        event: read('EVENT_NAME'),
        ref: read('REF'),
        sha: read('SHA'),
        url: pageOf(read('SERVER_URL'), run),
    };
}
function pageOf(server, run) {
    if (!server || !run.repository || !run.run_id)
        return undefined;
    const attempt = run.attempt ? `/attempts/${run.attempt}` : '';
    return `${server}/${run.repository}/actions/runs/${run.run_id}${attempt}`;
}
/** Where the page of an uploaded artifact is. */
function artifactPageOf(environment, artifactId) {
    const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run, } = environment;
    return `${server ?? ''}/${repository ?? ''}/actions/runs/${run ?? ''}/artifacts/${artifactId}`;
}

;// CONCATENATED MODULE: ./src/runner/artifact/publish-artifact.ts
/** One artifact, or the reason why there is none and what to do about it. */


/** Whether the runner offers an artifact service; a local or an old one may not. */
function hasArtifactService(environment) {
    return Boolean(environment['ACTIONS_RUNTIME_TOKEN'] && environment['ACTIONS_RESULTS_URL']);
}
const longestReason = 500;
/** Never rejects: an artifact changes no verdict. */
async function publishArtifact(order, uploader, environment) {
    if (!uploader)
        return { kind: 'unsupported', why: 'this runner offers no artifact service' };
    const report = await uploader.upload(order);
    if (report.kind === 'failed')
        return explain(report, order.name);
    const { id, digest } = report;
    if (id === undefined)
        return { kind: 'failed', why: 'the artifact service gave no id for it' };
    const url = artifactPageOf(environment, id);
    return { kind: 'uploaded', name: order.name, id: String(id), url, digest: digest ?? '' };
}
function explain(report, name) {
    if (report.name === 'GHESNotSupportedError') {
        return {
            kind: 'unsupported',
            why: 'GitHub Enterprise Server does not support this kind of artifact',
        };
    }
    if (/\b409\b|already exists/i.test(report.message)) {
        const remedy = 'give this step an artifact-name of its own';
        return { kind: 'failed', why: `the name ${name} is already taken in this run; ${remedy}` };
    }
    const why = (0,untrusted_text/* inline */.mG)(report.message, longestReason).replace(/[.:\s]+$/, '');
    return {
        kind: 'failed',
        why: why === '' ? `the artifact client gave no reason (${report.name})` : why,
    };
}

// EXTERNAL MODULE: external "node:readline"
var external_node_readline_ = __webpack_require__(481);
// EXTERNAL MODULE: external "node:worker_threads"
var external_node_worker_threads_ = __webpack_require__(919);
// EXTERNAL MODULE: ./src/errors.ts
var errors = __webpack_require__(916);
// EXTERNAL MODULE: ./src/clock.ts + 1 modules
var src_clock = __webpack_require__(529);
// EXTERNAL MODULE: ./src/messages/elapsed.ts
var elapsed = __webpack_require__(856);
;// CONCATENATED MODULE: ./src/runner/stall-watch.ts
/** Bounds what should make progress: a copy, an upload. All spans are milliseconds. */


const stallLimits = { stall: 60_000, longest: 3_600_000 };
/** Its signal aborts with {@link TimeUp} at a stall, or with the reason of `parent`. */
class StallWatch {
    signal;
    #clock;
    #limits;
    #released = new AbortController();
    #timeUp = new AbortController();
    #end;
    #lastProgress;
    constructor(clock, parent, limits = stallLimits) {
        this.#clock = clock;
        this.#limits = limits;
        this.#lastProgress = clock.now();
        this.#end = this.#lastProgress + limits.longest;
        this.signal = AbortSignal.any([this.#timeUp.signal, parent]);
        this.#keepWatch().catch(() => undefined);
    }
    /** Something moved. */
    renew() {
        this.#lastProgress = this.#clock.now();
    }
    /** Settles as `work` does, and rejects with the signal's reason when that comes first. */
    async bound(work) {
        const { signal } = this;
        const aborted = new Promise((_, reject) => {
            const abort = () => reject(signal.reason);
            if (signal.aborted)
                abort();
            else
                signal.addEventListener('abort', abort, { once: true });
        });
        return Promise.race([work, aborted]);
    }
    [Symbol.dispose]() {
        this.#released.abort();
    }
    async #keepWatch() {
        const { stall, longest } = this.#limits;
        for (;;) {
            const rest = Math.min(this.#lastProgress + stall, this.#end) - this.#clock.now();
            if (rest <= 0)
                break;
            await this.#clock.sleep(rest, this.#released.signal);
        }
        const isOverall = this.#clock.now() >= this.#end;
        const why = isOverall
            ? `not done after ${(0,elapsed/* describeElapsed */.g)(longest)}`
            : `no progress for ${(0,elapsed/* describeElapsed */.g)(stall)}`;
        this.#timeUp.abort(new src_clock/* TimeUp */.Lr(why));
    }
}

;// CONCATENATED MODULE: ./src/runner/artifact/uploader.ts
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
/** Uploads one artifact in a thread of its own, given up when it stalls. */




/**
 * Loads the artifact client at once, so that it is ready when the run ends. `upload` may be called
 * once; whatever happens, `stop` leaves no thread and no connection behind.
 */
class Uploader {
    #worker;
    #context;
    #report;
    #watch;
    constructor(context) {
        this.#context = context;
        // One block of 8 MB at a time: the client's five would cost more memory than all the rest.
        // A block may take as long as all: what stalls is ended here.
        const env = {
            ACTIONS_ARTIFACT_UPLOAD_CONCURRENCY: '1',
            ACTIONS_ARTIFACT_UPLOAD_TIMEOUT_MS: String(stallLimits.longest),
            ...process.env,
        };
        this.#worker = new external_node_worker_threads_.Worker(context.workerFile, {
            ...{ env, stdout: true, stderr: true },
            // For the same reason: a small nursery is swept often, and with it the buffers it points to.
            resourceLimits: { maxYoungGenerationSizeMb: 1 },
        });
        this.#worker.unref();
        this.#report = new Promise((resolve) => {
            const fail = (name, message) => resolve({ kind: 'failed', name, message });
            this.#worker.on('message', (message) => {
                if (message.kind === 'progress')
                    this.#watch?.renew();
                else
                    resolve(message);
            });
            this.#worker.once('error', (error) => fail(error.name, error.message));
            this.#worker.once('exit', () => fail('Error', 'the upload ended without an answer'));
        });
        for (const stream of [this.#worker.stdout, this.#worker.stderr]) {
            (0,external_node_readline_.createInterface)({ input: stream }).on('line', (line) => this.#relay(line));
        }
    }
    /** Never rejects. An upload without progress is given up, and any after an hour. */
    async upload(order) {
        const env_1 = { stack: [], error: void 0, hasError: false };
        try {
            const { cancelled, clock } = this.#context;
            const watch = __addDisposableResource(env_1, new StallWatch(clock, cancelled), false);
            this.#watch = watch;
            this.#worker.ref();
            this.#worker.postMessage(order);
            try {
                return await watch.bound(this.#report);
            }
            catch (error) {
                if (cancelled.aborted)
                    return cutShort;
                return { kind: 'failed', name: 'TimeUp', message: (0,errors/* messageOf */.bD)(error) };
            }
            finally {
                await this.stop();
            }
        }
        catch (e_1) {
            env_1.error = e_1;
            env_1.hasError = true;
        }
        finally {
            __disposeResources(env_1);
        }
    }
    async stop() {
        await this.#worker.terminate();
    }
    #relay(line) {
        const [, command, text = ''] = /^::([a-z-]+)(?: [^:]*)?::(.*)$/.exec(line) ?? [];
        if (command === 'add-mask')
            this.#context.mask(uploader_unescape(text));
        else
            this.#context.debug(`artifact client: ${command ? uploader_unescape(text) : line}`);
    }
}
/** As the toolkit escapes a command's text; `%25` last, so that `%250A` stays the text `%0A`. */
function uploader_unescape(text) {
    return text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%');
}
const cutShort = { kind: 'failed', name: 'Cancelled', message: 'cancelled' };

;// CONCATENATED MODULE: ./src/execution/conclusion.ts
/**
 * The outcome that the flags tell. The document leaves open which may come together: a dead
 * container explains an error and a stop, and an error outweighs a stop.
 */
function concludeFrom(flags) {
    if (flags.container_error)
        return 'container-error';
    if (flags.error)
        return 'error';
    if (flags.stopped)
        return 'stopped';
    return 'success';
}

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(455);
// EXTERNAL MODULE: external "node:stream"
var external_node_stream_ = __webpack_require__(75);
// EXTERNAL MODULE: ./src/service/content-encoding.ts
var content_encoding = __webpack_require__(130);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(24);
// EXTERNAL MODULE: external "node:stream/promises"
var external_node_stream_promises_ = __webpack_require__(466);
;// CONCATENATED MODULE: ./src/download/sink.ts
/** The way of a download's bytes to the disk, through what undoes their encoding. */


function openSink(path, decoders) {
    const file = (0,external_node_fs_.createWriteStream)(path);
    const [first] = decoders;
    const done = first ? (0,external_node_stream_promises_.pipeline)([first, ...decoders.slice(1), file]) : (0,external_node_stream_promises_.finished)(file);
    // Whoever waits for `done` sees the error; until then it must not count as unhandled.
    done.catch(() => undefined);
    return { stream: first ?? file, done };
}
/** A decoder that cannot read a chunk never calls back: it closes. */
function writeTo(stream, chunk) {
    return new Promise((resolve, reject) => {
        const fail = () => reject(stream.errored ?? new Error('the file was closed'));
        stream.once('close', fail);
        stream.write(chunk, (error) => {
            stream.off('close', fail);
            if (error)
                reject(error);
            else
                resolve();
        });
    });
}

;// CONCATENATED MODULE: ./src/download/resumable-file.ts
/** A file that grows from a download which may be cut, go on elsewhere, or start over. */




class ResumableFile {
    path;
    /** Bytes received over the wire, encoded as they came: where a resumption goes on. */
    received = 0;
    /** The encoding, untrusted, that isn't understood: the bytes on the disk are still in it. */
    unknownEncoding;
    #signal;
    #version;
    #sink;
    /** `signal` ends whatever is still being decoded or written. */
    constructor(path, signal) {
        this.path = path;
        this.#signal = signal;
    }
    /** The headers that ask for the rest, where the store's ETag makes that safe. */
    resumption() {
        const etag = this.#version?.etag;
        // A weak ETag promises the same meaning, not the same bytes (RFC 9110, 8.8.1 and 8.8.3).
        if (this.received === 0 || !etag || !strongTag.test(etag))
            return {};
        return { range: `bytes=${String(this.received)}-`, 'if-range': etag };
    }
    /** Takes the head of an answer: 206 goes on where it stopped, anything else starts over. */
    async begin(status, headers) {
        if (status === 206 && this.#version && this.#continues(headers)) {
            // Where the first answer had no length, the rest tells it.
            this.#version.total ??= rangeOf(headers).total;
            return;
        }
        await this.discard();
        if (status === 206)
            throw new Error('the store sent another part than the one asked for');
        this.#version = {
            etag: headers.etag,
            encoding: headers['content-encoding'],
            total: numberOf(headers['content-length']),
        };
        const { decoders, unknown } = await (0,content_encoding/* decodingFor */.T)(headers['content-encoding']);
        this.unknownEncoding = unknown;
        this.#sink = openSink(this.path, decoders);
        if (this.#signal)
            (0,external_node_stream_.addAbortSignal)(this.#signal, this.#sink.stream);
    }
    async write(chunk) {
        const stream = this.#sink?.stream;
        if (!stream)
            throw new Error('nothing has begun');
        this.received += chunk.length;
        remindCollector();
        try {
            await writeTo(stream, chunk);
        }
        catch (error) {
            await this.discard();
            throw error;
        }
    }
    /** Ends the file. Rejects when bytes are missing, which a resumption may bring, or broken. */
    async complete() {
        const total = this.#version?.total;
        if (total !== undefined && total !== this.received) {
            throw new Error(`${String(this.received)} of ${String(total)} bytes came`);
        }
        try {
            this.#sink?.stream.end();
            await this.#sink?.done;
        }
        catch (error) {
            await this.discard();
            throw error;
        }
    }
    /** Forgets what came, and removes it from the disk. */
    async discard() {
        this.#sink?.stream.destroy();
        await this.#sink?.done.catch(() => undefined);
        this.#sink = this.#version = undefined;
        this.received = 0;
        await (0,promises_.rm)(this.path, { force: true });
    }
    #continues(headers) {
        const range = rangeOf(headers);
        const { etag, encoding, total } = this.#version ?? {};
        return (range.from === this.received &&
            (headers.etag ?? etag) === etag &&
            headers['content-encoding'] === encoding &&
            (total === undefined || range.total === undefined || range.total === total));
    }
}
/**
 * A chunk's 64 KB lie outside of V8's heap, which sees a hundred bytes of it and lets chunks pile
 * up to some 64 MB. A little litter inside of the heap makes it look every few megabytes.
 */
function remindCollector() {
    new Array(2048).fill(0);
}
const strongTag = /^"[\x21\x23-\x7e\x80-\xff]*"$/;
/** Where a part begins, and the bytes of the whole where the store knows them (`*`: it does not). */
function rangeOf(headers) {
    const [, from, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers['content-range'] ?? '') ?? [];
    return from === undefined ? {} : { from: Number(from), total: numberOf(total) };
}
function numberOf(header) {
    return header !== undefined && /^\d+$/.test(header) ? Number(header) : undefined;
}

// EXTERNAL MODULE: ./node_modules/mime/dist/src/index.js + 3 modules
var src = __webpack_require__(86);
;// CONCATENATED MODULE: ./src/download/media-type.ts

/** `application/json; charset=utf-8` → `application/json`; empty where the answer has none. */
function mediaTypeOf(contentType) {
    return contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
/** The extension, dot included, that a file of this media type usually has; `.bin` if unknown. */
function extensionOf(mediaType) {
    const known = src/* default */.A.getExtension(mediaType);
    if (known)
        return `.${known}`;
    const suffix = /\+(json|xml|zip)$/.exec(mediaType)?.[1];
    return suffix ? `.${suffix}` : '.bin';
}

;// CONCATENATED MODULE: ./src/download/stall-timeout.ts
/** How long a download may stay silent. All moments and spans are milliseconds. */

// Thirty seconds of nothing, through five fresh links, is a store that is down. After the
// deadline only what flows may finish: the step has to end within two seconds.
const stall_timeout_stallLimits = {
    silence: 30_000,
    silenceAfterDeadline: 1_000,
    longest: 600_000,
};
/** A watchdog: its signal aborts with {@link TimeUp} when no byte came for too long. */
class StallTimeout {
    signal;
    #clock;
    #deadline;
    #limits;
    #timeUp = new AbortController();
    #wake = new AbortController();
    #isReleased = false;
    #lastByte;
    /** Since then: time that counts as no silence. */
    #excluded = 0;
    #isSuspended = false;
    /** `deadline`: the moment at which the step's time runs out. */
    constructor(clock, deadline, parent, limits = stall_timeout_stallLimits) {
        this.#clock = clock;
        this.#deadline = deadline;
        this.#limits = limits;
        this.#lastByte = clock.now();
        this.signal = AbortSignal.any([this.#timeUp.signal, parent]);
        void this.#keepWatch();
    }
    /** A byte came. */
    renew() {
        this.#lastByte = this.#clock.now();
        this.#excluded = 0;
    }
    /** While `work` is done no byte can come, and before the deadline none is missed. */
    async suspend(work) {
        const since = this.#clock.now();
        this.#isSuspended = true;
        try {
            return await work();
        }
        finally {
            this.#isSuspended = false;
            this.#excluded += this.#clock.now() - since;
            this.#wake.abort();
        }
    }
    [Symbol.dispose]() {
        this.#isReleased = true;
        this.#wake.abort();
    }
    async #keepWatch() {
        while (!this.#isReleased) {
            const rest = this.#end() - this.#clock.now();
            if (rest <= 0) {
                this.#timeUp.abort(new src_clock/* TimeUp */.Lr('no byte came for too long'));
                return;
            }
            this.#wake = new AbortController();
            await this.#clock.sleep(rest, this.#wake.signal).catch(() => undefined);
        }
    }
    #end() {
        const { silence, silenceAfterDeadline, longest } = this.#limits;
        const silent = this.#isSuspended ? Infinity : this.#lastByte + this.#excluded + silence;
        const flowing = Math.max(this.#deadline, this.#lastByte) + silenceAfterDeadline;
        return Math.min(silent, flowing, this.#deadline + longest);
    }
}

// EXTERNAL MODULE: ./src/service/errors.ts
var service_errors = __webpack_require__(756);
;// CONCATENATED MODULE: ./src/service/backoff.ts
/** How long to leave a service alone that fails. All spans are milliseconds. */
// A service in trouble is not helped by being asked; past a minute the step would seem dead.
const longestPauseAfterFailure = 60_000;
// `Retry-After: 0` is a request to come back, not to hammer.
const shortestPause = 1_000;
/**
 * The pause after `failures` failed checks in a row: doubling from the usual one, with jitter of
 * up to a quarter so that a matrix of jobs does not come back all at once. What the service asked
 * for (`retryAfter`) wins.
 */
function pauseAfterFailure(usual, failures, retryAfter, random) {
    if (retryAfter !== undefined)
        return Math.max(retryAfter, Math.min(usual, shortestPause));
    const grown = Math.min(usual * 2 ** (failures - 1), Math.max(usual, longestPauseAfterFailure));
    return grown * (1 + random() / 4);
}

;// CONCATENATED MODULE: ./src/download/status-refresh.ts



/** The service gives no record any more; the message says why. */
class NoFreshLink extends Error {
    name = 'NoFreshLink';
}
// A restart of the service takes a minute at most; a result is worth waiting for it.
const stallTimeout = 60_000;
const firstPause = 500;
/** All who ask share the calls, the pauses between them, and the patience. */
class StatusRefresh {
    #context;
    #asking;
    #trouble;
    constructor(context) {
        this.#context = context;
    }
    /** Rejects with {@link NoFreshLink}, or with the signal's reason when it aborts before trouble. */
    async fresh(signal) {
        const { clock } = this.#context;
        for (;;) {
            try {
                await clock.sleep((this.#trouble?.until ?? 0) - clock.now(), signal);
                return await this.#ask(signal);
            }
            catch (error) {
                const failure = this.#trouble?.failure;
                if (signal.aborted && failure === undefined)
                    throw error;
                if (signal.aborted || this.#isHopeless()) {
                    const why = (0,errors/* messageOf */.bD)(failure);
                    throw new NoFreshLink(`no fresh link could be had: ${why}`, { cause: failure });
                }
            }
        }
    }
    async #ask(signal) {
        this.#asking ??= this.#askOnce(signal).finally(() => (this.#asking = undefined));
        return this.#asking;
    }
    async #askOnce(signal) {
        try {
            const status = await this.#context.check(signal);
            this.#trouble = undefined;
            return status;
        }
        catch (error) {
            // Cut by the one who asked: it tells nothing of the service, and another may still want it.
            if (!signal.aborted)
                this.#trouble = this.#troubleAfter(error);
            throw error;
        }
    }
    #troubleAfter(failure) {
        const now = this.#context.clock.now();
        const { since = now, failures: before = 0 } = this.#trouble ?? {};
        const failures = before + 1;
        const retryAfter = failure instanceof service_errors/* ServiceError */._7 ? failure.retryAfter : undefined;
        const pause = pauseAfterFailure(firstPause, failures, retryAfter, () => 0);
        // The last call is made when the patience ends.
        const end = retryAfter === undefined ? Math.min(pause, Math.max(0, since + stallTimeout - now)) : pause;
        return { since, failures, failure, until: now + end };
    }
    #isHopeless() {
        if (!this.#trouble)
            return false;
        const { since, failure, until } = this.#trouble;
        if (failure instanceof service_errors/* HttpError */.j$ && [401, 403].includes(failure.status))
            return true;
        const isHeld = failure instanceof service_errors/* ServiceError */._7 && failure.retryAfter !== undefined;
        if (isHeld && until > this.#context.deadline)
            return true;
        return this.#context.clock.now() - since >= stallTimeout;
    }
}

;// CONCATENATED MODULE: ./src/download/download.ts
var download_addDisposableResource = (undefined && undefined.__addDisposableResource) || function (env, value, async) {
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
var download_disposeResources = (undefined && undefined.__disposeResources) || (function (SuppressedError) {
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
/** One kept file, from its signed links to the disk. */








/**
 * The store may be down for a moment; a file that five links in a row don't bring is lost. That
 * the service gives no link counts for none of them: it has a patience of its own.
 */
const mostFruitlessLinks = 5;
const download_firstPause = 500;
/**
 * Fetches to `<folder>/<name><extension>`; without `extension` the content type decides. Never
 * rejects: a file that cannot be had is an end, too, and leaves nothing behind on the disk.
 */
async function download(nextLink, target, context) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const { clock, deadline, cancelled } = context;
        const stallTimeout = download_addDisposableResource(env_1, new StallTimeout(clock, deadline, cancelled, context.stallTimeout), false);
        const file = new ResumableFile(external_node_path_default().join(target.folder, `${target.name}.part`), stallTimeout.signal);
        try {
            const mediaType = await fetchThroughLinks(nextLink, file, stallTimeout, context);
            if (mediaType === undefined)
                return { kind: 'not-kept' };
            const extension = target.extension ?? extensionOf(mediaType);
            const finalPath = external_node_path_default().join(target.folder, `${target.name}${extension}`);
            await (0,promises_.rename)(file.path, finalPath);
            const { size } = await (0,promises_.stat)(finalPath);
            const { unknownEncoding } = file;
            return { kind: 'file', path: finalPath, mediaType, size, unknownEncoding };
        }
        catch (error) {
            await file.discard();
            return { kind: 'unavailable', why: (0,errors/* messageOf */.bD)(error) };
        }
    }
    catch (e_1) {
        env_1.error = e_1;
        env_1.hasError = true;
    }
    finally {
        download_disposeResources(env_1);
    }
}
/** The media type of the completed file; undefined where there is no link at all. */
async function fetchThroughLinks(nextLink, file, stallTimeout, { store, clock }) {
    let furthest = 0;
    let fruitless = 0;
    let why = 'no byte came';
    for (;;) {
        try {
            if (fruitless > 0)
                await clock.sleep(download_firstPause * 2 ** (fruitless - 1), stallTimeout.signal);
            const link = await stallTimeout.suspend(() => nextLink(stallTimeout.signal));
            if (link === null)
                return undefined;
            return await fetchOnce(link, file, store, stallTimeout);
        }
        catch (error) {
            why = whyFruitless(error, stallTimeout.signal, why);
        }
        fruitless = file.received > furthest ? 0 : fruitless + 1;
        furthest = Math.max(furthest, file.received);
        if (fruitless === mostFruitlessLinks)
            throw new Error(why);
    }
}
async function fetchOnce(link, file, store, stallTimeout) {
    const opened = await store.open(link, file.resumption(), stallTimeout.signal);
    const { status, headers, body } = opened;
    try {
        if (status !== 200 && status !== 206) {
            // 416: what we have does not fit what the store has now.
            if (status === 416)
                await file.discard();
            throw new Error(`the store answered ${String(status)}`);
        }
        await file.begin(status, headers);
        for await (const chunk of body) {
            stallTimeout.renew();
            await file.write(chunk);
        }
        await file.complete();
        return mediaTypeOf(headers['content-type']);
    }
    finally {
        opened.close();
    }
}
/** Why this link brought nothing. @throws Error where no other link may be tried. */
function whyFruitless(error, { aborted, reason }, before) {
    if (aborted && !(reason instanceof src_clock/* TimeUp */.Lr))
        throw new Error('cancelled', { cause: error });
    if (error instanceof NoFreshLink)
        throw error;
    if (aborted)
        throw new Error(`no byte came for too long (${before})`, { cause: error });
    return (0,errors/* messageOf */.bD)(error);
}

;// CONCATENATED MODULE: ./src/download/collect.ts


/** Fetches both at once, side by side: the links live 60 s, and a slow result must not cost the log. */
async function collect(status, context) {
    const { folder } = context;
    const links = new Links(status, new StatusRefresh(context));
    const [result, log] = await Promise.all([
        download(links.of('result_url'), { folder, name: 'result' }, context),
        download(links.of('logs_url'), { folder, name: 'run', extension: '.log' }, context),
    ]);
    return { result, log };
}
/** Hands out each link once, then asks for new ones. */
class Links {
    #refresh;
    #known;
    constructor({ result_url, logs_url }, refresh) {
        this.#refresh = refresh;
        this.#known = { result_url, logs_url };
    }
    of(name) {
        return async (signal) => {
            const known = this.#known[name];
            this.#known[name] = undefined;
            if (known !== undefined)
                return known;
            const fresh = (await this.#refresh.fresh(signal))[name];
            if (fresh === null)
                throw new Error('the service no longer has a link to it');
            return fresh;
        };
    }
}

// EXTERNAL MODULE: ./src/messages/file-problem.ts
var file_problem = __webpack_require__(854);
// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(598);
// EXTERNAL MODULE: external "node:os"
var external_node_os_ = __webpack_require__(161);
// EXTERNAL MODULE: ./src/runner/inputs/environment.ts + 1 modules
var inputs_environment = __webpack_require__(31);
// EXTERNAL MODULE: ./src/runner/workspace-target.ts
var workspace_target = __webpack_require__(745);
;// CONCATENATED MODULE: ./src/runner/workspace.ts
var workspace_addDisposableResource = (undefined && undefined.__addDisposableResource) || function (env, value, async) {
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
var workspace_disposeResources = (undefined && undefined.__disposeResources) || (function (SuppressedError) {
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









/** A folder of this step's own below the runner's temp folder, which the runner empties. */
async function makeStepFolder(environment) {
    const named = environment['RUNNER_TEMP'] ?? '';
    const temp = named.trim() === '' ? (0,external_node_os_.tmpdir)() : named;
    await (0,promises_.mkdir)(temp, { recursive: true });
    return (0,promises_.mkdtemp)(external_node_path_default().join(temp, 'run-automation-'));
}
/**
 * Copies a file to a path in the workspace, with the folders that takes. What was there stays
 * until the copy is whole. Throws where the path cannot be written, symbolic links out of the
 * workspace included, and where the copy stalls or the step is cancelled.
 */
async function copyIntoWorkspace(source, target, { environment, clock, cancelled }) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const watch = workspace_addDisposableResource(env_1, new StallWatch(clock, cancelled), false);
        await watch.bound(copyWatched(source, target, (0,inputs_environment/* workspaceOf */.B3)(environment), watch));
    }
    catch (e_1) {
        env_1.error = e_1;
        env_1.hasError = true;
    }
    finally {
        workspace_disposeResources(env_1);
    }
}
async function copyWatched(source, target, workspace, watch) {
    const folder = external_node_path_default().dirname(await (0,workspace_target/* resolveTarget */.u)(target, workspace));
    await (0,promises_.mkdir)(folder, { recursive: true });
    const file = await (0,workspace_target/* resolveTarget */.u)(target, workspace);
    const beside = external_node_path_default().join(external_node_path_default().dirname(file), `.run-automation-${(0,external_node_crypto_.randomUUID)()}.part`);
    try {
        const progress = async function* (chunks) {
            for await (const chunk of chunks) {
                watch.renew();
                yield chunk;
            }
        };
        const sink = (0,external_node_fs_.createWriteStream)(beside, { flags: 'wx', mode: await modeOf(file) });
        await (0,external_node_stream_promises_.pipeline)((0,external_node_fs_.createReadStream)(source), progress, sink, { signal: watch.signal });
        watch.signal.throwIfAborted();
        await (0,promises_.rename)(beside, file);
    }
    catch (error) {
        await (0,promises_.rm)(beside, { force: true });
        throw error;
    }
}
/** The permissions of the file that is replaced, or those of any new file. */
async function modeOf(file) {
    const found = await (0,promises_.stat)(file).catch(() => undefined);
    return found ? found.mode & 0o777 : 0o666;
}
/**
 * The path, relative to the workspace and with `/`, of the file that a traceback names: as it is
 * named, or by the longest end of an absolute path that exists here. A bare file name of such a
 * path proves nothing. Undefined where there is none.
 */
function finderIn(environment) {
    const workspace = (0,inputs_environment/* workspaceOf */.B3)(environment);
    return (file) => {
        const parts = file.split(/[\\/]+/).filter((part) => part !== '' && part !== '.');
        if (parts.includes('..'))
            return undefined;
        const isAbsolute = external_node_path_default().posix.isAbsolute(file) || external_node_path_default().win32.isAbsolute(file);
        const last = isAbsolute ? parts.length - 2 : 0;
        for (let from = 0; from <= last; from++) {
            const candidate = parts.slice(from);
            if (isFile(external_node_path_default().join(workspace, ...candidate)))
                return candidate.join('/');
        }
        return undefined;
    };
}
function isFile(file) {
    try {
        return (0,external_node_fs_.statSync)(file).isFile();
    }
    catch {
        // A name that the file system refuses (too long, a NUL in it) is no file either.
        return false;
    }
}

// EXTERNAL MODULE: ./src/messages/size.ts
var size = __webpack_require__(515);
;// CONCATENATED MODULE: ./src/actions/copying.ts



/** Only a success replaces what `resultFile` holds: it may be the last good result. */
async function copyFiles({ resultFile, logFile }, { result, log }, status, step) {
    const succeeded = concludeFrom(status) === 'success';
    if (resultFile !== undefined && !succeeded) {
        step.log.info(`result-file: ${resultFile} is left as it is, since the run did not succeed`);
    }
    const lost = [
        await copyTo(succeeded ? resultFile : undefined, result, 'result-file', step),
        await copyTo(logFile, log, 'log-file', step),
    ].filter((copy) => copy !== undefined);
    // Of a run that succeeded, the annotation tells it: the step fails.
    if (!succeeded) {
        for (const { input, why } of lost)
            step.log.warning(`${input}: a copy could not be written (${why}).`);
    }
    return lost;
}
async function copyTo(target, kept, input, step) {
    if (target === undefined)
        return undefined;
    if (kept.kind !== 'file') {
        step.log.warning(`${input}: nothing was written to ${target}, since there is nothing to copy.`);
        return undefined;
    }
    try {
        await copyIntoWorkspace(kept.path, target, step);
        step.log.info(`Copied to ${target} (${input})`);
        return undefined;
    }
    catch (error) {
        return { input, why: `${target}: ${(0,file_problem/* describeFileProblem */.R)(error)}` };
    }
}

// EXTERNAL MODULE: ./src/version.ts
var version = __webpack_require__(311);
;// CONCATENATED MODULE: ./src/actions/collecting.ts
/** Result and log on the runner's disk, and where else the workflow wants them. */








async function collectFiles({ executionId, status, deadline, resultFile, logFile }, service, store, step) {
    step.log.title('Result');
    const files = await fetchFiles({ executionId, status, deadline }, service, store, step);
    tellWhatCame(files, step);
    tellWhatIsMissing(files, status, step);
    return { ...files, lostCopies: await copyFiles({ resultFile, logFile }, files, status, step) };
}
async function fetchFiles({ executionId, status, deadline }, service, store, step) {
    const folder = await makeStepFolder(step.environment).catch((error) => new Error(`there is no folder for it: ${(0,file_problem/* describeFileProblem */.R)(error)}`));
    if (folder instanceof Error)
        return lostFiles(status, folder.message);
    const files = await collect(status, {
        store,
        clock: step.clock,
        deadline,
        cancelled: step.cancelled,
        folder,
        check: async (signal) => {
            const fresh = await service.executionStatus(executionId, signal);
            hideLinks(fresh, step);
            return fresh;
        },
    });
    return { folder, ...files };
}
function lostFiles({ result_url, logs_url }, why) {
    const lost = (link) => link === null ? { kind: 'not-kept' } : { kind: 'unavailable', why };
    return { folder: undefined, result: lost(result_url), log: lost(logs_url) };
}
/** Signed links let anyone in for 60 s: masked before anything can go wrong with them. */
function hideLinks({ result_url, logs_url }, { secrets }) {
    for (const link of [result_url, logs_url]) {
        if (link === null)
            continue;
        secrets.add(link);
        const query = URL.parse(link)?.search.slice(1) ?? '';
        // Shorter ones are no signature, and would garble the log.
        if (query.length >= 16)
            secrets.add(query);
    }
}
function tellWhatCame({ result, log }, step) {
    if (result.kind === 'file')
        step.log.info(`Result: ${result.path} (${(0,size/* describeSize */.j)(result.size)})`);
    if (log.kind === 'file')
        step.log.info(`Log: ${log.path} (${(0,size/* describeSize */.j)(log.size)})`);
    tellOfEncoding('result', result, step);
    tellOfEncoding('log', log, step);
}
function tellOfEncoding(what, kept, step) {
    if (kept.kind !== 'file' || kept.unknownEncoding === undefined)
        return;
    const encoding = (0,untrusted_text/* inline */.mG)(kept.unknownEncoding, 100);
    step.log.warning(`The store sent the ${what} in an encoding that is not understood (content-encoding: ${encoding}). Its bytes were kept as they came.`);
}
function tellWhatIsMissing({ result, log }, status, step) {
    const hasFailed = concludeFrom(status) !== 'success';
    // A run that failed and left a log may have had no result to keep.
    const isResultExpected = !hasFailed || log.kind === 'not-kept';
    const missing = [
        ...(result.kind === 'not-kept' && isResultExpected ? ['result'] : []),
        ...(log.kind === 'not-kept' ? ['log'] : []),
    ];
    if (missing.length > 0) {
        const what = missing.join(' and ');
        step.log.notice(status.finished
            ? `The automation isn't set to keep its ${what}, so there is nothing to publish. Switch it on in the service's dashboard.`
            : `The service has not finished the run yet, so there is no ${what} to publish. Fetch them later with ${version/* waitAction */.Or}.`);
    }
    // Of a run that succeeded, the annotation tells it: the step fails.
    if (result.kind === 'unavailable' && hasFailed) {
        step.log.warning(`The result could not be fetched: ${result.why}. ${fetchAgain}`);
    }
    if (log.kind === 'unavailable') {
        step.log.warning(`The log could not be fetched: ${log.why}. ${fetchAgain}`);
    }
}
const fetchAgain = `Fetch it again with ${version/* waitAction */.Or} and the same execution-id.`;

// EXTERNAL MODULE: ./src/cut.ts
var cut = __webpack_require__(395);
;// CONCATENATED MODULE: ./src/download/file-text.ts
/** Bounded looks into files of any size. */

/** The file's first bytes, at most `limit`. */
async function readHead(path, limit) {
    return readPart(path, limit, () => 0);
}
/** The file's last bytes, at most `limit`. */
async function readTail(path, limit) {
    return readPart(path, limit, (size) => Math.max(0, size - limit));
}
/**
 * The end of a text, in whole lines. Bytes that are no UTF-8 become `�`. Of a line that alone is
 * longer than `limit`, its end.
 */
async function readLastLines(path, limit) {
    const { bytes, complete } = await readTail(path, limit);
    const firstBreak = bytes.indexOf(0x0a);
    const whole = complete || firstBreak === -1 ? bytes : bytes.subarray(firstBreak + 1);
    return whole.toString('utf8');
}
/** The text, or undefined where the bytes are none that an output or a summary could carry. */
function textOf({ bytes, complete }) {
    try {
        // A cut at the end may go through a character: `stream` leaves that one out.
        const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, {
            stream: !complete,
        });
        return text.includes('\0') ? undefined : text;
    }
    catch {
        return undefined;
    }
}
async function readPart(path, limit, from) {
    const file = await (0,promises_.open)(path);
    try {
        const { size } = await file.stat();
        const length = Math.min(size, limit);
        const bytes = Buffer.alloc(length);
        const { bytesRead } = await file.read(bytes, 0, length, from(size));
        return { bytes: bytes.subarray(0, bytesRead), size, complete: size <= limit };
    }
    finally {
        await file.close();
    }
}

;// CONCATENATED MODULE: ./src/messages/text/terminal-text.ts
/**
 * A log as a terminal leaves it: a carriage return goes back to the line's beginning, and what is
 * printed then stands over what was there. Of a progress bar, its last state is left.
 */
const terminal_text_escape = String.fromCharCode(0x1b);
// "Erase to the end of the line" and "erase the line", which progress bars use.
const eraseRest = new RegExp(`${terminal_text_escape}\\[0?K`);
const eraseLine = new RegExp(`^.*${terminal_text_escape}\\[2K`, 's');
const sequence = new RegExp(`${terminal_text_escape}\\[[0-?]*[ -/]*[@-~]`, 'g');
function asTerminalShows(log) {
    if (!log.includes('\r'))
        return log;
    return log.split('\n').map(lastState).join('\n');
}
function lastState(line) {
    if (!line.includes('\r'))
        return line;
    const states = line.split('\r').toReversed();
    // A return at the very end belongs to the line break, or moves nothing.
    const first = states.findIndex((state) => state !== '');
    let shown = '';
    let width = 0;
    for (const state of states.slice(Math.max(0, first))) {
        const kept = state.replace(eraseLine, '');
        shown += unseen(kept, width);
        width = Math.max(width, widthOf(kept));
        if (kept !== state || eraseRest.test(state))
            break;
    }
    return shown;
}
/** What of an older state is still seen to the right of a newer one. */
function unseen(state, width) {
    if (width === 0)
        return state;
    // Its colours may begin under the newer text.
    const plain = state.replace(sequence, '');
    return plain.length <= width ? '' : Array.from(plain).slice(width).join('');
}
function widthOf(state) {
    return Array.from(state.replace(sequence, '')).length;
}

// EXTERNAL MODULE: ./src/messages/text/shown-texts.ts
var shown_texts = __webpack_require__(897);
;// CONCATENATED MODULE: ./src/messages/execution-record.ts


/** `show`: what people may see of a text (`Secrets.show`). */
function executionRecord({ run, conclusion, status, finishedOn }, workflowRun, show) {
    const { executionId, project, automation, startedOn } = run;
    const own = {
        execution_id: executionId,
        project,
        automation,
        conclusion,
        status: undefined,
        started_at: startedOn.toISOString(),
        finished_at: finishedOn.toISOString(),
        workflow_run: workflowRun,
        action: `run-automation ${version/* version */.rE}`,
    };
    const record = { ...(0,shown_texts/* showTexts */.K)(own, show), status: status && (0,shown_texts/* showJson */.q)(withoutLinks(status), show) };
    return `${JSON.stringify(record, null, 2)}\n`;
}
// A job may carry 1 MB of outputs; the documented fields take 200 bytes.
const longestStatus = 32 * 1024;
/** The record as JSON; without what the service's document does not describe when that is much. */
function statusOutput(status) {
    if (!status)
        return '';
    const whole = JSON.stringify(withoutLinks(status));
    return whole.length <= longestStatus ? whole : JSON.stringify(flagsOf(status));
}
function flagsOf({ exec_uuid, finished, error, stopped, container_error }) {
    return { exec_uuid, finished, error, stopped, container_error };
}
/**
 * The record without signed links, which let anyone in, wherever they stand: they are left out
 * under the names that the document gives them, and replaced elsewhere, keys included. Of a record
 * too deep to be read by anyone, the documented flags.
 */
function withoutLinks(status) {
    const { result_url, logs_url } = status;
    const known = [result_url, logs_url].filter((link) => link !== null).flatMap(partsOfLink);
    const hide = (text) => known.reduce((rest, part) => rest.replaceAll(part, '***'), text.replace(address, '***'));
    const shown = hideIn(status, hide, 0);
    return shown === tooDeep ? flagsOf(status) : shown;
}
const linkNames = ['result_url', 'logs_url'];
// An address within a text; schemes have a bounded length, so that a long word is read once.
const address = /\b(?:[a-z][a-z0-9+.-]{0,20}:\/\/|https?:)[^\s"'<>]*/gi;
/** The link, and its query: the signature is in one of the two. */
function partsOfLink(link) {
    const query = URL.parse(link)?.search.slice(1) ?? '';
    return query.length >= 16 ? [link, query] : [link];
}
const tooDeep = Symbol('too deep');
const deepest = 50;
function hideIn(value, hide, depth) {
    if (typeof value === 'string')
        return hide(value);
    if (typeof value !== 'object' || value === null)
        return value;
    if (depth === deepest)
        return tooDeep;
    if (Array.isArray(value)) {
        const shown = value.map((item) => hideIn(item, hide, depth + 1));
        return shown.includes(tooDeep) ? tooDeep : shown;
    }
    const shown = Object.entries(value)
        .filter(([key]) => !linkNames.includes(key))
        .map(([key, member]) => [hide(key), hideIn(member, hide, depth + 1)]);
    if (shown.some(([, member]) => member === tooDeep))
        return tooDeep;
    return Object.fromEntries(shown);
}

;// CONCATENATED MODULE: ./src/runner/artifact/name.ts
/** Names of artifacts ("Upload artifact": the characters that the artifact service refuses). */
const refused = /["<>|*?:\r\n\\/\p{Cc}]/gu;
// The service's own limit is 260; the rest of the room is the runner's.
const longest = 220;
/** The name given, or `<automation>-<execution id>` with refused characters replaced by `-`. */
function artifactNameFor(given, automation, executionId) {
    if (given !== undefined)
        return given;
    // The id tells artifacts apart, so the automation's name is what is cut. An id has at most 200
    // characters ("Start response", as the contract reads it).
    const id = `-${executionId}`.replace(refused, '-');
    const room = Math.max(0, longest - id.length);
    return `${automation.replace(refused, '-').slice(0, room)}${id}`.toWellFormed();
}

;// CONCATENATED MODULE: ./src/actions/uploading.ts
/** One artifact of all that a run left. What goes wrong with it changes no verdict. */







async function uploadFiles(plan, uploader, step) {
    const { folder } = plan.files;
    const artifact = await (folder === undefined
        ? Promise.reject(new Error('there is no folder to put it together in'))
        : uploadFolder({ ...plan, folder }, uploader, step)).catch((error) => ({
        kind: 'failed',
        why: (0,file_problem/* describeFileProblem */.R)(error),
    }));
    tellOfArtifact(artifact, folder, step);
    return artifact;
}
async function uploadFolder({ files, record, publishing, folder }, uploader, step) {
    const recordFile = external_node_path_default().join(folder, 'execution.json');
    const recordText = executionRecord(record, workflowRunOf(step.environment), (text) => step.secrets.show(text));
    await (0,promises_.writeFile)(recordFile, recordText);
    const { executionId, automation = 'automation' } = record.run;
    const order = {
        name: artifactNameFor(publishing.artifactName, automation, executionId),
        files: [pathOf(files.result), pathOf(files.log), recordFile].filter((file) => file !== ''),
        folder,
        retentionDays: publishing.retentionDays,
    };
    return publishArtifact(order, uploader, step.environment);
}
function tellOfArtifact(artifact, folder, { outputs, log }) {
    if (artifact.kind === 'uploaded') {
        const { name, id, url, digest } = artifact;
        outputs.set('artifact-name', name);
        outputs.set('artifact-id', id);
        outputs.set('artifact-url', url);
        outputs.set('artifact-digest', digest);
        log.info(`Artifact ${name}: ${url}`);
        return;
    }
    for (const name of ['name', 'id', 'url', 'digest'])
        outputs.set(`artifact-${name}`, '');
    const rest = folder === undefined ? '' : ` The files are in ${folder}.`;
    const text = `No artifact was uploaded: ${artifact.why}.${rest}`;
    if (artifact.kind === 'unsupported')
        log.notice(text);
    else
        log.warning(text);
}
/** Empty where there is no file. */
function pathOf(kept) {
    return kept.kind === 'file' ? kept.path : '';
}

;// CONCATENATED MODULE: ./src/actions/publishing.ts
/** Hands on what a run left: texts as outputs, files as one artifact. */







// A job may carry 1 MB of outputs, which GitHub counts as UTF-16: these two stay under 0.7 MB.
const longestResultOutput = 256 * 1024;
const longestLogOutput = 64 * 1024;
/** More of a log than this nobody reads in a step's log; the file is whole. */
const longestLogShown = 1024 * 1024;
/** The outputs that need no file; they come first, since fetching files takes time and may fail. */
function publishFacts(record, { outputs }) {
    outputs.set('conclusion', record.conclusion);
    outputs.set('status', statusOutput(record.status));
    const seconds = Math.round((record.finishedAt - record.run.startedAt) / 1000);
    outputs.set('duration-seconds', String(seconds));
}
async function publishFiles({ files, record, publishing }, uploader, step) {
    const { outputs, log } = step;
    log.title('Publish');
    outputs.set('result-file', pathOf(files.result));
    outputs.set('log-file', pathOf(files.log));
    const result = await publishResult(files.result, step);
    const logTail = await readLogTail(files.log, step);
    outputs.set('log', (0,cut/* lastLines */.w$)(logTail, longestLogOutput));
    const artifact = publishing.uploadArtifact
        ? await uploadFiles({ files, record, publishing }, uploader, step)
        : undefined;
    return { files, logTail, result, artifact };
}
async function publishResult(kept, { outputs, log }) {
    if (kept.kind !== 'file') {
        outputs.set('result', '');
        return undefined;
    }
    const head = await readHead(kept.path, longestResultOutput);
    const text = textOf(head);
    const fits = text !== undefined && head.complete;
    outputs.set('result', fits ? text : '');
    if (!fits) {
        const why = head.complete ? 'is not text' : `has ${head.size} bytes, more than 256 KiB`;
        log.info(`The result ${why}, so the output result stays empty: use result-file`);
    }
    const { size, complete } = head;
    return { name: external_node_path_default().basename(kept.path), mediaType: kept.mediaType, size, text, complete };
}
/** As a terminal would leave it, and fit to be shown before anything of it is cut. */
async function readLogTail(kept, { secrets }) {
    if (kept.kind !== 'file')
        return '';
    const text = asTerminalShows(await readLastLines(kept.path, longestLogShown));
    return (0,untrusted_text/* lines */.Mn)(secrets.show(text)).join('\n');
}

;// CONCATENATED MODULE: ./src/execution/log-lines.ts
// More than any traceback needs; it bounds the work on a log of any size or shape.
const mostCharacters = 1024 * 1024;
const longestLine = 2_000;
const log_lines_escape = String.fromCharCode(0x1b);
const colour = new RegExp(`${log_lines_escape}\\[[0-?]*[ -/]*[@-~]`, 'g');
const timestamp = /^\s?\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?(?: [-|:])?(?: |$)/;
const bracketedLevel = /^\[(?:trace|debug|info|notice|warn|warning|error|critical|fatal)\](?: ?[-|:])?(?: |$)/i;
// In capitals only: `Error: boom` is the message itself.
const bareLevel = /^(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL)(?: ?[-|:])?(?: |$)/;
/** The last lines of a log, oldest first. */
function readLogLines(log) {
    return log
        .slice(-mostCharacters)
        .split(/\r\n|\n|\r/)
        .map(readLine);
}
function readLine(line) {
    const levelled = line.slice(0, longestLine).replace(colour, '').replace(timestamp, '');
    return { levelled, text: levelled.replace(bracketedLevel, '').replace(bareLevel, '') };
}

;// CONCATENATED MODULE: ./src/execution/traceback.ts
// Also the two frames' forms of a SyntaxError, which names no function.
const frameLine = /^([\s|]{0,200})File "([^"]{1,1000})", line (\d{1,9})(?:, in .*)?$/;
const library = /(?:^|[\\/])(?:site-packages|dist-packages|lib[\\/]python\d[\d.]*t?|python\d+[\\/]lib)[\\/]|^</i;
/**
 * The last Python traceback of a log. It is found by its last frame, so that it counts even where
 * its heading is cut off, is chained to others, or never was (a SyntaxError of the main file).
 */
function findTraceback(lines) {
    const last = lines.findLastIndex(({ text }) => frameLine.test(text));
    const [, margin = ''] = frameLine.exec(lines[last]?.text ?? '') ?? [];
    // Exception groups draw a bar beside what belongs to them.
    const barred = margin.includes('|');
    const unbar = (text) => (barred ? text.replace(/^\s*\| ?/, '') : text);
    if (last === -1)
        return undefined;
    const message = readMessage(lines.slice(last + 1).map(({ text }) => unbar(text)), indentation(unbar(lines[last]?.text ?? '')));
    const frames = readFrames(lines.slice(0, last + 1), unbar);
    const frame = frames.find(({ file }) => !library.test(file)) ?? frames[0];
    return message === undefined || frame === undefined ? undefined : { message, frame };
}
/** The first line that is indented less than the frames; with the next, where it says nothing. */
function readMessage(lines, frameIndentation) {
    const at = lines.findIndex((line) => line.trim() && indentation(line) < frameIndentation);
    const message = lines[at]?.trim();
    if (message === undefined || message.startsWith('+--'))
        return undefined;
    if (!/^[\w.]+:$/.test(message))
        return message;
    const next = lines.slice(at + 1, at + 5).find((line) => line.trim());
    return next === undefined ? message : `${message} ${next.trim()}`;
}
/** The frames, innermost first, up to the first line that belongs to none. */
function readFrames(lines, unbar) {
    const frames = [];
    for (const { text } of lines.toReversed()) {
        const [, , file, line] = frameLine.exec(text) ?? [];
        if (file !== undefined)
            frames.push({ file, line: Number(line) });
        else if (indentation(unbar(text)) === 0 && text.trim())
            break;
    }
    return frames;
}
function indentation(text) {
    return text.length - text.trimStart().length;
}

;// CONCATENATED MODULE: ./src/execution/cause.ts
/** Why a run failed, as its log tells. */



const longestCause = 1_000;
const failing = /(?:^|[^a-z])(?:error|fatal|panic|exception|critical|killed|failed|failure|out of memory|oom|segmentation fault|core dumped|abort(?:ed)?|traceback)(?![a-z])|\w(?:Error|Exception)\b/i;
const fine = /\b(?:no|0|zero|without(?: any)?) (?:errors?|failures?|exceptions?)\b|\b(?:errors?|failed|failures?)\s?[:=]\s?(?:0|none|false|null)\b/i;
const harmlessLevel = /^[^a-z]*(?:trace|debug|info|notice)\b/i;
const stackFrame = /^\s*(?:at |\.{3} \d+ (?:more|common)|File "|goroutine \d|created by )/;
/**
 * The line that tells best why a run failed: the last line of the last Python traceback, with the
 * file and line it came from; else the last line that reads like an error; else the last line.
 * `logTail`: the end of the log, of any size; its last MiB is read.
 */
function findCause(logTail) {
    const lines = readLogLines(logTail);
    const traceback = findTraceback(lines);
    if (traceback)
        return { text: (0,cut/* cut */.Jj)(traceback.message, longestCause), ...traceback.frame };
    const told = lines.findLast(readsLikeError);
    if (told)
        return { text: (0,cut/* cut */.Jj)(told.text.trim(), longestCause) };
    const last = lines.findLast(({ text }) => text.trim());
    return last && { text: (0,cut/* cut */.Jj)(last.text.trim(), longestCause), isLastLine: true };
}
function readsLikeError({ text, levelled }) {
    if (!text.trim() || stackFrame.test(text))
        return false;
    return failing.test(levelled) && !harmlessLevel.test(levelled) && !fine.test(text);
}

// EXTERNAL MODULE: ./src/messages/annotation.ts
var messages_annotation = __webpack_require__(643);
// EXTERNAL MODULE: ./src/messages/failure.ts
var failure = __webpack_require__(530);
// EXTERNAL MODULE: ./src/runner/step.ts + 23 modules
var runner_step = __webpack_require__(247);
;// CONCATENATED MODULE: ./src/actions/failure.ts

/**
 * How the step fails; undefined where it passes. What counts, `fail-on` and the rules decide; what
 * was asked for and could not be written fails any other step.
 */
function failureOf(report) {
    return failureByEnd(report) ?? lostCopy(report.published) ?? lostOutputs(report);
}
function failureByEnd(report) {
    const { conclusion, ending, waiting, published } = report;
    switch (conclusion) {
        case 'success':
            return lostResult(published);
        case 'error':
        case 'container-error':
        case 'stopped':
            return waiting.failOn.has(conclusion) ? { kind: conclusion } : undefined;
        case 'timed-out':
            return waiting.failOn.has(conclusion) ? timedOut(report) : undefined;
        case 'cancelled':
            return { kind: 'cancelled', ended: ending.kind === 'finished' };
        case 'unknown':
            return unwatchable(ending);
    }
}
/** What a run that was not seen to end is told as, whether it fails the step or not. */
function timedOut({ waiting, checks, ending }) {
    const { failure, failedChecks } = ending.kind === 'timed-out' ? ending : { failure: undefined, failedChecks: 0 };
    const lastFailure = failure && (0,errors/* messageOf */.bD)(failure);
    return { kind: 'timed-out', timeout: waiting.timeout, checks, failedChecks, lastFailure };
}
/** The next step counts on the result of a run that succeeded. */
function lostResult(published) {
    const result = published?.files.result;
    return result?.kind === 'unavailable'
        ? { kind: 'result-not-fetched', why: result.why }
        : undefined;
}
function lostCopy(published) {
    const copy = published?.files.lostCopies[0];
    return copy && { kind: 'copy-not-written', ...copy };
}
function lostOutputs({ unwritten }) {
    return unwritten && { kind: 'outputs-not-written', why: unwritten.why };
}
function unwatchable(ending) {
    if (ending.kind === 'refused') {
        const { status, words } = ending.failure;
        return { kind: 'credentials-refused', status, words };
    }
    if (ending.kind === 'rejected') {
        const { status, words } = ending.failure;
        return { kind: 'checks-refused', status, words };
    }
    return { kind: 'not-found', words: ending.kind === 'not-found' ? ending.failure.words : '' };
}

// EXTERNAL MODULE: ./src/actions/summarising.ts + 9 modules
var summarising = __webpack_require__(264);
;// CONCATENATED MODULE: ./src/actions/reporting.ts
/** The step's last words: log, summary, and whether it fails. */











async function report(given, step) {
    // The runner may have ended the step while files were fetched or uploaded.
    const facts = step.cancelled.aborted ? { ...given, conclusion: 'cancelled' } : given;
    const failure = failureOf(facts);
    const cause = causeOf(facts);
    // Before anything is cut: half a secret is one that nobody finds.
    const show = (text) => step.secrets.show(text);
    const annotation = failure && (0,messages_annotation/* describeFailure */.Ic)((0,shown_texts/* showTexts */.K)({ ...circumstances(facts, step), failure, cause }, show));
    if (facts.conclusion !== given.conclusion)
        step.outputs.set('conclusion', facts.conclusion);
    printTexts(facts, failure !== undefined, step);
    step.log.verdict(headlineOf(facts, annotation), !annotation);
    const remainder = failure ? undefined : whatIsLeftToDo(facts);
    for (const line of remainder?.split('\n') ?? [])
        step.log.info(line);
    if (facts.publishing.summary)
        await summarise(facts, { failure, cause, message: remainder }, step);
    return annotation ? { kind: 'failed', annotation } : runner_step/* passed */.bF;
}
function causeOf({ conclusion, published }) {
    const failed = conclusion === 'error' || conclusion === 'container-error';
    return failed && published?.logTail ? findCause(published.logTail) : undefined;
}
function circumstances({ run, finishedAt, published }, { environment }) {
    const { artifact, files } = published ?? {};
    return {
        automation: run.automation,
        executionId: run.executionId,
        duration: finishedAt - run.startedAt,
        artifactUrl: artifact?.kind === 'uploaded' ? artifact.url : undefined,
        logFile: files?.log.kind === 'file' ? files.log.path : undefined,
        findInWorkspace: finderIn(environment),
    };
}
function printTexts({ conclusion, published, publishing }, failed, { log, secrets }) {
    if (!published)
        return;
    const { result, logTail } = published;
    // What a failed run leaves is seldom worth more than its file.
    if (result?.text !== undefined && conclusion === 'success' && publishing.printResult) {
        const text = secrets.show(result.text, !result.complete).trimEnd();
        const head = firstLines(text);
        const whole = head === text && result.complete;
        if (text)
            log.untrustedBlock(whole ? 'The result' : 'The beginning of the result', head);
    }
    const shown = publishing.printLog === 'always' || (publishing.printLog === 'on-failure' && failed);
    if (shown && logTail.trim())
        log.untrustedBlock('Log of the automation', logTail.trimEnd());
}
// More of a result than this belongs into a file, not into a log.
const resultLinesShown = 20;
const longestResultLine = 2_000;
function firstLines(text) {
    const head = text.split('\n', resultLinesShown);
    return head.map((line) => (0,cut/* cut */.Jj)(line, longestResultLine)).join('\n');
}
function headlineOf({ run, conclusion, finishedAt }, annotation) {
    const duration = (0,elapsed/* describeElapsed */.g)(finishedAt - run.startedAt);
    if (annotation)
        return `${annotation.title} (after ${duration})`;
    const subject = run.automation ?? `Execution ${run.executionId}`;
    if (conclusion === 'success')
        return `${subject} succeeded after ${duration}`;
    return `${subject}: ${conclusion} (after ${duration}), allowed by fail-on`;
}
/** A run that goes on must not get lost from sight, even where `fail-on` lets that pass. */
function whatIsLeftToDo(facts) {
    if (facts.conclusion !== 'timed-out')
        return undefined;
    const ending = timedOut(facts);
    return `${(0,failure/* whatHappened */.ez)(ending)}\nNext: ${(0,failure/* hintFor */.JR)(ending, facts.run.executionId)}`;
}
async function summarise({ run, conclusion, checks, finishedAt, published, publishing }, told, step) {
    const { artifact, logTail, result } = published ?? {};
    const facts = {
        ...{ ...told, conclusion, failed: told.failure !== undefined, checks },
        ...{ automation: run.automation, project: run.project, executionId: run.executionId },
        webhookGiven: run.webhookGiven,
        duration: finishedAt - run.startedAt,
        artifact: artifact?.kind === 'uploaded' ? artifact : undefined,
        runUrl: workflowRunOf(step.environment).url,
        log: logTail,
        result: result && (publishing.printResult ? result : { ...result, text: undefined }),
    };
    await (0,summarising/* addSummary */.S)(facts, step);
}

;// CONCATENATED MODULE: ./src/execution/poll-state.ts


/** A 404 may be a run that the status route does not know yet; a failed run may still finish. */
const grace = 30_000;
/** A check that is wrong in itself stays wrong; a deployment that broke the route may be mended. */
const rejectionGrace = 300_000;
/** A service in trouble for shorter is not worth a warning. */
const troubleAfter = 60_000;
/** Refusals of the call as it is. A redirect is none: it may be maintenance. */
const finalRefusals = new Set([400, 405, 410, 422]);
const nothingKnown = {
    status: undefined,
    failure: undefined,
    failures: 0,
    failedChecks: 0,
    failingSince: undefined,
    missingSince: undefined,
    rejected: undefined,
    flaggedSince: undefined,
    heldUntil: undefined,
    troubled: false,
};
function seen(status, before, now) {
    const flagged = !status.finished && concludeFrom(status) !== 'success';
    return {
        ...nothingKnown,
        status,
        failedChecks: before.failedChecks,
        flaggedSince: flagged ? (before.flaggedSince ?? now) : undefined,
    };
}
function missed(failure, before, now) {
    const missing = failure instanceof service_errors/* HttpError */.j$ && failure.status === 404;
    const failingSince = before.failingSince ?? now;
    return {
        ...before,
        failure,
        failures: before.failures + 1,
        failedChecks: before.failedChecks + 1,
        failingSince,
        missingSince: missing ? (before.missingSince ?? now) : undefined,
        rejected: rejectionOf(failure, before, now),
        heldUntil: failure.retryAfter === undefined ? undefined : now + failure.retryAfter,
        troubled: now - failingSince >= troubleAfter,
    };
}
/** Whether the last check was refused as all since then that were refused for good. */
function isRejected({ failure, rejected }) {
    return failure instanceof service_errors/* HttpError */.j$ && failure.status === rejected?.status;
}
/** Other failures in between (a reset, a 502) prove nothing; another final refusal begins anew. */
function rejectionOf(failure, before, now) {
    if (!(failure instanceof service_errors/* HttpError */.j$) || !finalRefusals.has(failure.status))
        return before.rejected;
    if (before.rejected?.status === failure.status)
        return before.rejected;
    return { status: failure.status, since: now };
}

;// CONCATENATED MODULE: ./src/execution/ending.ts



/** The ending that the state proves, if it does. */
function endingOf(state, now) {
    const { status, failure, missingSince, rejected, flaggedSince } = state;
    if (failure instanceof service_errors/* HttpError */.j$) {
        if ([401, 403].includes(failure.status))
            return { kind: 'refused', status, failure };
        if (lasted(missingSince, now, grace))
            return { kind: 'not-found', status, failure };
        if (isRejected(state) && lasted(rejected?.since, now, rejectionGrace)) {
            return { kind: 'rejected', status, failure };
        }
    }
    if (status?.finished || (status && lasted(flaggedSince, now, grace))) {
        return { kind: 'finished', outcome: concludeFrom(status), status };
    }
    return undefined;
}
function lasted(since, now, span) {
    return since !== undefined && now - since >= span;
}
/** The ending when no time is left: what the last state tells then counts. */
function endingInTime(state, cancelled) {
    const { status, failure, failedChecks } = state;
    if (cancelled.aborted)
        return { kind: 'cancelled', status };
    // "When error or container_error is true the run failed", finished or not.
    if (status && concludeFrom(status) !== 'success') {
        return { kind: 'finished', outcome: concludeFrom(status), status };
    }
    if (!status && failure instanceof service_errors/* HttpError */.j$ && failure.status === 404) {
        return { kind: 'not-found', status, failure };
    }
    return { kind: 'timed-out', status, failure, failedChecks };
}

;// CONCATENATED MODULE: ./src/execution/pace.ts
/** How long to pause between two checks. All spans are milliseconds. */
// Each check is a paid call; nobody minds learning of an hour's run half a minute late.
const shareOfAge = 0.02;
const longestPause = 30_000;
/** The pause grows with the run's age: 2 % of it, at most 30 s, never below `pollInterval`. */
function pauseBetweenChecks(age, pollInterval) {
    return Math.max(pollInterval, Math.min(longestPause, age * shareOfAge));
}

;// CONCATENATED MODULE: ./src/execution/poll.ts
var poll_addDisposableResource = (undefined && undefined.__addDisposableResource) || function (env, value, async) {
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
var poll_disposeResources = (undefined && undefined.__disposeResources) || (function (SuppressedError) {
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
 * Follows one execution until it ends, time runs out, or it can no longer be watched.
 * Pure of GitHub and of the wire: it knows time, checks, and what a check can tell.
 */






/** How long the last check may take, which is made when the time is over. Milliseconds. */
const lastLook = 2_000;
async function follow(watch) {
    const { clock, deadline, cancelled, observer } = watch;
    const startedAt = clock.now();
    let state = nothingKnown;
    for (let checks = 1; !cancelled.aborted; checks++) {
        const isLast = watch.once || deadline.signal.aborted;
        const told = await look(watch, state);
        if (!told)
            break;
        state = told;
        observer.onCheck(checks, state);
        const ending = endingOf(state, clock.now());
        if (ending)
            return ending;
        if (isLast)
            break;
        await pause(state, startedAt, watch);
        // The time is over, and the service asked not to be called yet.
        if (state.heldUntil !== undefined && state.heldUntil > clock.now())
            break;
    }
    return endingInTime(state, cancelled);
}
/** Undefined where a cancellation cut the check: it tells nothing of the service. */
async function look(watch, before) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const { check, clock, deadline, cancelled, observer } = watch;
        const late = poll_addDisposableResource(env_1, deadline.signal.aborted ? new src_clock/* Deadline */.B2(clock, lastLook, cancelled) : undefined, false);
        const { signal } = late ?? deadline;
        try {
            const status = await check(signal);
            if (before.troubled)
                observer.onRecovery();
            return seen(status, before, clock.now());
        }
        catch (error) {
            if (cancelled.aborted)
                return undefined;
            const failure = signal.aborted ? cutByTime() : error;
            if (!(failure instanceof service_errors/* ServiceError */._7))
                throw failure;
            const after = missed(failure, before, clock.now());
            if (after.troubled && !before.troubled)
                observer.onTrouble(failure);
            return after;
        }
    }
    catch (e_1) {
        env_1.error = e_1;
        env_1.hasError = true;
    }
    finally {
        poll_disposeResources(env_1);
    }
}
function cutByTime() {
    return new service_errors/* NetworkError */.Dr('no answer came in time', { mayHaveArrived: true });
}
/** Until the next check; the deadline or a cancellation ends it early. */
async function pause(state, startedAt, watch) {
    const { clock, deadline, observer } = watch;
    if (deadline.signal.aborted)
        return;
    const span = pauseAfter(state, startedAt, watch);
    observer.onPause(span);
    await clock.sleep(span, deadline.signal).catch(() => undefined);
}
function pauseAfter(state, startedAt, watch) {
    const { failure, failures, missingSince, flaggedSince, rejected } = state;
    const now = watch.clock.now();
    const usual = pauseBetweenChecks(now - startedAt, watch.pollInterval);
    if (failure?.retryAfter !== undefined) {
        return pauseAfterFailure(usual, failures, failure.retryAfter, watch.random);
    }
    const span = failure ? pauseAfterFailure(usual, failures, undefined, watch.random) : usual;
    // Not past the end of a grace that is running: the answer then decides.
    const ends = [
        (missingSince ?? -Infinity) + grace,
        (flaggedSince ?? -Infinity) + grace,
        (rejected?.since ?? -Infinity) + rejectionGrace,
    ];
    return Math.min(span, ...ends.filter((end) => end > now).map((end) => end - now));
}

// EXTERNAL MODULE: ./src/messages/count.ts
var count = __webpack_require__(491);
;// CONCATENATED MODULE: ./src/actions/watching.ts






async function watchRun({ executionId, pollInterval, timeout, deadline }, service, { log, clock, random, cancelled, secrets }) {
    log.title('Wait');
    log.info(describePace(pollInterval, timeout));
    const progress = { since: clock.now(), checks: 0, nextAt: 0, told: undefined };
    const ended = new AbortController();
    const heartbeat = beat(clock, ended.signal, () => log.info(describeProgress(progress, clock)));
    const ending = await follow({
        check: (signal) => service.executionStatus(executionId, signal),
        clock,
        deadline,
        cancelled,
        pollInterval,
        once: timeout === 0,
        random,
        observer: {
            onCheck: (checks, told) => Object.assign(progress, { checks, told }),
            onPause: (pause) => (progress.nextAt = clock.now() + pause),
            onTrouble: (failure) => log.warning(`The service has not answered properly for a minute (${secrets.words((0,errors/* messageOf */.bD)(failure))}). Going on until the timeout.`),
            onRecovery: () => log.info('The service answers properly again'),
        },
    });
    ended.abort();
    await heartbeat;
    const { checks } = progress;
    log.info(`${describeEnding(ending)} (${(0,count/* describeCount */.v)(checks, 'check')})`);
    return { ending, checks };
}
function describePace(pollInterval, timeout) {
    if (timeout === 0)
        return 'Checking once (timeout: 0s)';
    return `Checking every ${(0,elapsed/* describeElapsed */.g)(pollInterval)} at first, for at most ${(0,elapsed/* describeElapsed */.g)(timeout)}`;
}
const outcomes = {
    success: 'Finished',
    error: 'Finished with an error',
    'container-error': 'Finished, since its container died',
    stopped: 'Stopped',
};
function describeEnding(ending) {
    switch (ending.kind) {
        case 'finished':
            return outcomes[ending.outcome];
        case 'timed-out':
            return ending.failure ? 'No end was seen' : 'Not finished';
        case 'cancelled':
            return 'Cancelled';
        case 'not-found':
            return 'Not found';
        case 'refused':
            return 'No longer allowed to watch';
        case 'rejected':
            return 'Can no longer be watched';
    }
}
function describeProgress({ since, checks, nextAt, told }, clock) {
    const now = clock.now();
    const next = nextAt > now ? `next in ${(0,elapsed/* describeElapsed */.g)(nextAt - now)}` : 'the next one now';
    return `${describeKnown(told)} after ${(0,elapsed/* describeElapsed */.g)(now - since)}, ${(0,count/* describeCount */.v)(checks, 'check')}, ${next}`;
}
/** No more than the checks have told: an id may be unknown to the service, which may be down. */
function describeKnown(told) {
    if (!told)
        return 'no answer of the service yet';
    const { status, failure } = told;
    if (!status) {
        const isMissing = failure instanceof service_errors/* HttpError */.j$ && failure.status === 404;
        return isMissing ? 'not known to the service yet' : 'no proper answer of the service yet';
    }
    if (failure)
        return 'no proper answer now (last seen running)';
    const outcome = concludeFrom(status);
    if (outcome === 'success')
        return 'still running';
    return `${outcome === 'stopped' ? 'stopped' : 'failed'}, but not finished yet`;
}
// The first sign of life after ten seconds; then ever more rarely, every 30 s to 60 s.
const firstBeat = 10_000;
const shortestBeat = 30_000;
const longestBeat = 60_000;
const growth = 1.25;
/** Says that the step is alive, independently of checks, which may lie far apart. */
async function beat(clock, ended, tell) {
    let span = firstBeat;
    try {
        for (;;) {
            await clock.sleep(span, ended);
            tell();
            span = Math.min(longestBeat, Math.max(shortestBeat, span * growth));
        }
    }
    catch {
        // The wait is over.
    }
}

;// CONCATENATED MODULE: ./src/actions/following.ts
/** What run and wait share: from a known execution to the step's verdict. */







async function followToTheEnd(following, step) {
    const { run, waiting, deadline, service } = following;
    const uploader = openUploader(following, step);
    try {
        const plan = { ...waiting, executionId: run.executionId, deadline };
        const watched = await watchRun(plan, service, step);
        const ended = { finishedAt: step.clock.now(), finishedOn: step.clock.date() };
        const conclusion = conclusionOf(watched.ending);
        const { status } = watched.ending;
        if (status)
            hideLinks(status, step);
        publishFacts({ run, conclusion, status, ...ended }, step);
        const published = await publish(following, watched.ending, ended, uploader, step);
        const unwritten = step.outputs.problem;
        const facts = { ...following, ...watched, ...ended, conclusion, published, unwritten };
        return await report(facts, step);
    }
    finally {
        await uploader?.stop();
    }
}
function conclusionOf(ending) {
    switch (ending.kind) {
        case 'finished':
            return ending.outcome;
        case 'timed-out':
        case 'cancelled':
            return ending.kind;
        case 'not-found':
        case 'refused':
        case 'rejected':
            return 'unknown';
    }
}
/** Loaded while waiting: the artifact client is most of the action's weight. */
function openUploader({ publishing }, step) {
    if (!publishing.uploadArtifact || !hasArtifactService(step.environment))
        return undefined;
    return new Uploader({
        workerFile: external_node_path_default().join(step.bundleFolder, '..', 'upload', 'index.js'),
        debug: (line) => step.log.debug(line),
        mask: (value) => step.secrets.add(value),
        cancelled: step.cancelled,
        clock: step.clock,
    });
}
/** Only a run that has ended has anything to publish. */
async function publish({ run, publishing, deadline, service, store }, ending, ended, uploader, step) {
    if (ending.kind !== 'finished')
        return undefined;
    const files = await collectFiles({ ...run, ...publishing, status: ending.status, deadline: deadline.at }, service, store, step);
    const record = { run, conclusion: ending.outcome, status: ending.status, ...ended };
    return publishFiles({ files, record, publishing }, uploader, step);
}


/***/ })

};
;