"use strict";
exports.id = 369;
exports.ids = [369];
exports.modules = {

/***/ 369:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  followToTheEnd: () => (/* binding */ followToTheEnd)
});

// UNUSED EXPORTS: conclusionOf

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(760);
var external_node_path_default = /*#__PURE__*/__webpack_require__.n(external_node_path_);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(24);
;// CONCATENATED MODULE: ./src/github/workflow-run.ts
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

;// CONCATENATED MODULE: ./src/github/artifact/publish-artifact.ts
/** One artifact, or the reason why there is none and what to do about it. */


/** Whether the runner offers an artifact service; a local or an old one may not. */
function hasArtifactService(environment) {
    return Boolean(environment['ACTIONS_RUNTIME_TOKEN'] && environment['ACTIONS_RESULTS_URL']);
}
// A minute for what is stalled; large files get the time that a slow line (2 MB/s) takes for them.
const stalledUpload = 60_000;
const bytesPerMillisecond = 2_000;
const smallUpload = 64 * 1024 * 1024;
/** Never rejects: an artifact changes no verdict. */
async function publishArtifact(order, uploader, environment) {
    if (!uploader)
        return { kind: 'unsupported', why: 'this runner offers no artifact service' };
    const report = await uploader.upload(order, boundFor(order.files));
    if (report.kind === 'failed')
        return explain(report, order.name);
    const { id, digest } = report;
    if (id === undefined)
        return { kind: 'failed', why: 'the artifact service gave no id for it' };
    const url = artifactPageOf(environment, id);
    return { kind: 'uploaded', name: order.name, id: String(id), url, digest: digest ?? '' };
}
function boundFor(files) {
    // A file that is gone is the uploader's to tell of.
    const sizes = files.map((file) => (0,external_node_fs_.statSync)(file, { throwIfNoEntry: false })?.size ?? 0);
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    return stalledUpload + Math.max(0, bytes - smallUpload) / bytesPerMillisecond;
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
    return { kind: 'failed', why: report.message };
}

// EXTERNAL MODULE: external "node:readline"
var external_node_readline_ = __webpack_require__(481);
// EXTERNAL MODULE: external "node:worker_threads"
var external_node_worker_threads_ = __webpack_require__(919);
// EXTERNAL MODULE: external "node:timers/promises"
var promises_ = __webpack_require__(500);
;// CONCATENATED MODULE: ./src/github/artifact/uploader.ts
/** Uploads one artifact in a thread of its own, within a bound of its own. */



/**
 * Loads the artifact client at once, so that it is ready when the run ends. `upload` may be called
 * once; whatever happens, `stop` leaves no thread and no connection behind.
 */
class Uploader {
    #worker;
    #context;
    #report;
    constructor(context) {
        this.#context = context;
        // One block of 8 MB at a time: the client's five would cost more memory than all the rest.
        const env = { ACTIONS_ARTIFACT_UPLOAD_CONCURRENCY: '1', ...process.env };
        this.#worker = new external_node_worker_threads_.Worker(context.workerFile, {
            ...{ env, stdout: true, stderr: true },
            // For the same reason: a small nursery is swept often, and with it the buffers it points to.
            resourceLimits: { maxYoungGenerationSizeMb: 1 },
        });
        this.#worker.unref();
        this.#report = new Promise((resolve) => {
            const fail = (name, message) => resolve({ kind: 'failed', name, message });
            this.#worker.once('message', resolve);
            this.#worker.once('error', (error) => fail(error.name, error.message));
            this.#worker.once('exit', () => fail('Error', 'the upload ended without an answer'));
        });
        for (const stream of [this.#worker.stdout, this.#worker.stderr]) {
            (0,external_node_readline_.createInterface)({ input: stream }).on('line', (line) => this.#relay(line));
        }
    }
    /** Never rejects. `bound`: milliseconds after which a stalled upload is given up. */
    async upload(order, bound) {
        const { cancelled } = this.#context;
        const released = new AbortController();
        const signal = AbortSignal.any([released.signal, cancelled]);
        this.#worker.ref();
        this.#worker.postMessage(order);
        const givenUp = (0,promises_.setTimeout)(bound, undefined, { signal }).then(() => stalled(bound), () => cutShort);
        try {
            return await Promise.race([this.#report, givenUp]);
        }
        finally {
            released.abort();
            await this.stop();
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
function stalled(bound) {
    const seconds = String(Math.round(bound / 1000));
    return { kind: 'failed', name: 'TimeUp', message: `not done after ${seconds} s` };
}

// EXTERNAL MODULE: ./src/errors.ts
var errors = __webpack_require__(916);
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
var external_node_fs_promises_ = __webpack_require__(455);
// EXTERNAL MODULE: ./src/clock.ts
var clock = __webpack_require__(373);
// EXTERNAL MODULE: external "node:stream/promises"
var external_node_stream_promises_ = __webpack_require__(466);
// EXTERNAL MODULE: ./src/service/content-encoding.ts + 1 modules
var content_encoding = __webpack_require__(229);
;// CONCATENATED MODULE: ./src/execution/growing-file.ts
/** A file that grows from a download which may be cut, go on elsewhere, or start over. */




class GrowingFile {
    path;
    /** Bytes received over the wire, encoded as they came: where a resumption goes on. */
    received = 0;
    #version;
    #sink;
    constructor(path) {
        this.path = path;
    }
    /** The headers that ask for the rest, where the store's ETag makes that safe. */
    resumption() {
        const etag = this.#version?.etag;
        // A weak ETag promises the same meaning, not the same bytes (RFC 9110, 8.8.1).
        if (this.received === 0 || !etag || etag.startsWith('W/'))
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
        this.#sink = await openSink(this.path, headers['content-encoding']);
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
        await (0,external_node_fs_promises_.rm)(this.path, { force: true });
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
async function openSink(path, encoding) {
    const decoder = await (0,content_encoding/* decoderFor */.o)(encoding);
    const file = (0,external_node_fs_.createWriteStream)(path);
    const done = decoder ? (0,external_node_stream_promises_.pipeline)(decoder, file) : (0,external_node_stream_promises_.finished)(file);
    // Whoever waits for `done` sees the error; until then it must not count as unhandled.
    done.catch(() => undefined);
    return { stream: decoder ?? file, done };
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
;// CONCATENATED MODULE: ./src/execution/media-type.ts

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

;// CONCATENATED MODULE: ./src/execution/patience.ts
/** How long a download may stay silent. All moments and spans are milliseconds. */

// Thirty seconds of nothing, through five fresh links, is a store that is down. After the
// deadline only what flows may finish: the step has to end within two seconds.
const patienceLimits = {
    silence: 30_000,
    silenceAfterDeadline: 1_000,
    longest: 600_000,
};
/** A watchdog: its signal aborts with {@link TimeUp} when no byte came for too long. */
class Patience {
    signal;
    #clock;
    #deadline;
    #limits;
    #released = new AbortController();
    #timeUp = new AbortController();
    #lastByte;
    /** `deadline`: the moment at which the step's time runs out. */
    constructor(clock, deadline, parent, limits = patienceLimits) {
        this.#clock = clock;
        this.#deadline = deadline;
        this.#limits = limits;
        this.#lastByte = clock.now();
        this.signal = AbortSignal.any([this.#timeUp.signal, parent]);
        this.#keepWatch().catch(() => undefined);
    }
    /** A byte came. */
    renew() {
        this.#lastByte = this.#clock.now();
    }
    [Symbol.dispose]() {
        this.#released.abort();
    }
    async #keepWatch() {
        for (;;) {
            const rest = this.#end() - this.#clock.now();
            if (rest <= 0)
                break;
            await this.#clock.sleep(rest, this.#released.signal);
        }
        this.#timeUp.abort(new clock/* TimeUp */.Lr('no byte came for too long'));
    }
    #end() {
        const { silence, silenceAfterDeadline, longest } = this.#limits;
        const flowing = Math.max(this.#deadline, this.#lastByte) + silenceAfterDeadline;
        return Math.min(this.#lastByte + silence, flowing, this.#deadline + longest);
    }
}

;// CONCATENATED MODULE: ./src/execution/download.ts
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
/** One kept file, from its signed links to the disk. */







/** The store may be down for a moment; a file that five links in a row don't bring is lost. */
const mostFruitlessLinks = 5;
const firstPause = 500;
/**
 * Fetches to `<folder>/<name><extension>`; without `extension` the content type decides. Never
 * rejects: a file that cannot be had is an end, too, and leaves nothing behind on the disk.
 */
async function download(nextLink, target, context) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const { clock, deadline, cancelled } = context;
        const patience = __addDisposableResource(env_1, new Patience(clock, deadline, cancelled, context.patience), false);
        const file = new GrowingFile(external_node_path_default().join(target.folder, `${target.name}.part`));
        try {
            const mediaType = await fetchThroughLinks(nextLink, file, patience, context);
            if (mediaType === undefined)
                return { kind: 'not-kept' };
            const extension = target.extension ?? extensionOf(mediaType);
            const finalPath = external_node_path_default().join(target.folder, `${target.name}${extension}`);
            await (0,external_node_fs_promises_.rename)(file.path, finalPath);
            const { size } = await (0,external_node_fs_promises_.stat)(finalPath);
            return { kind: 'file', path: finalPath, mediaType, size };
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
        __disposeResources(env_1);
    }
}
/** The media type of the completed file; undefined where there is no link at all. */
async function fetchThroughLinks(nextLink, file, patience, { store, clock }) {
    let furthest = 0;
    let fruitless = 0;
    let why = 'no byte came';
    for (;;) {
        try {
            if (fruitless > 0)
                await clock.sleep(firstPause * 2 ** (fruitless - 1), patience.signal);
            const link = await nextLink(patience.signal);
            if (link === null)
                return undefined;
            return await fetchOnce(link, file, store, patience);
        }
        catch (error) {
            if (patience.signal.aborted) {
                throw new Error(whyGivenUp(patience.signal, why), { cause: error });
            }
            why = (0,errors/* messageOf */.bD)(error);
        }
        fruitless = file.received > furthest ? 0 : fruitless + 1;
        furthest = Math.max(furthest, file.received);
        if (fruitless === mostFruitlessLinks)
            throw new Error(why);
    }
}
async function fetchOnce(link, file, store, patience) {
    const opened = await store.open(link, file.resumption(), patience.signal);
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
            patience.renew();
            await file.write(chunk);
        }
        await file.complete();
        return mediaTypeOf(headers['content-type']);
    }
    finally {
        opened.close();
    }
}
function whyGivenUp(signal, why) {
    return signal.reason instanceof clock/* TimeUp */.Lr ? `no byte came for too long (${why})` : 'cancelled';
}

;// CONCATENATED MODULE: ./src/execution/collect.ts

/** Fetches both at once, side by side: the links live 60 s, and a slow result must not cost the log. */
async function collect(status, context) {
    const { folder } = context;
    const links = new Links(status, context.check);
    const [result, log] = await Promise.all([
        download(links.of('result_url'), { folder, name: 'result' }, context),
        download(links.of('logs_url'), { folder, name: 'run', extension: '.log' }, context),
    ]);
    return { result, log };
}
/** Hands out each link once, then asks for new ones; two that ask together share one call. */
class Links {
    #check;
    #known;
    #asking;
    constructor({ result_url, logs_url }, check) {
        this.#check = check;
        this.#known = { result_url, logs_url };
    }
    of(name) {
        return async (signal) => {
            const known = this.#known[name];
            this.#known[name] = undefined;
            if (known !== undefined)
                return known;
            const fresh = (await this.#ask(signal))[name];
            if (fresh === null)
                throw new Error('the service no longer has a link to it');
            return fresh;
        };
    }
    async #ask(signal) {
        this.#asking ??= this.#check(signal).finally(() => (this.#asking = undefined));
        return this.#asking;
    }
}

// EXTERNAL MODULE: external "node:os"
var external_node_os_ = __webpack_require__(161);
// EXTERNAL MODULE: ./src/github/inputs/environment.ts
var inputs_environment = __webpack_require__(712);
;// CONCATENATED MODULE: ./src/github/workspace.ts





/** A folder of this step's own below the runner's temp folder, which the runner empties. */
async function makeStepFolder(environment) {
    const temp = environment['RUNNER_TEMP'] ?? (0,external_node_os_.tmpdir)();
    await (0,external_node_fs_promises_.mkdir)(temp, { recursive: true });
    return (0,external_node_fs_promises_.mkdtemp)(external_node_path_default().join(temp, 'run-automation-'));
}
/**
 * Copies a file to a path in the workspace, with the folders that takes. Throws where symbolic
 * links lead out of the workspace: the path was checked as a text only.
 */
async function copyIntoWorkspace(source, target, environment) {
    await (0,external_node_fs_promises_.mkdir)(external_node_path_default().dirname(target), { recursive: true });
    const workspace = await (0,external_node_fs_promises_.realpath)((0,inputs_environment/* workspaceOf */.B3)(environment));
    const folder = await (0,external_node_fs_promises_.realpath)(external_node_path_default().dirname(target));
    const isInside = folder === workspace || folder.startsWith(workspace + (external_node_path_default()).sep);
    const isLink = (0,external_node_fs_.lstatSync)(target, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
    if (!isInside || isLink)
        throw new Error('a symbolic link leads out of the workspace');
    await (0,external_node_fs_promises_.copyFile)(source, target);
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

// EXTERNAL MODULE: ./src/github/summary/size.ts
var size = __webpack_require__(59);
;// CONCATENATED MODULE: ./src/actions/collecting.ts
/** Result and log on the runner's disk, and where else the workflow wants them. */





async function collectFiles({ executionId, status, deadline, resultFile, logFile }, service, store, step) {
    step.log.title('Result');
    const files = await fetchFiles({ executionId, status, deadline }, service, store, step);
    tellWhatCame(files, step);
    tellWhatIsMissing(files, status, step);
    await copyTo(resultFile, files.result, 'result-file', step);
    await copyTo(logFile, files.log, 'log-file', step);
    return files;
}
async function fetchFiles({ executionId, status, deadline }, service, store, step) {
    const folder = await makeStepFolder(step.environment).catch((error) => new Error(`there is no folder for it: ${(0,errors/* messageOf */.bD)(error)}`));
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
            : `The service has not finished the run yet, so there is no ${what} to publish. Fetch them later with the wait action.`);
    }
    // Of a run that succeeded, the annotation tells it: the step fails.
    if (result.kind === 'unavailable' && hasFailed) {
        step.log.warning(`The result could not be fetched: ${result.why}. ${fetchAgain}`);
    }
    if (log.kind === 'unavailable') {
        step.log.warning(`The log could not be fetched: ${log.why}. ${fetchAgain}`);
    }
}
const fetchAgain = 'Fetch it again with the wait action and the same execution-id.';
async function copyTo(target, kept, input, { log, environment }) {
    if (target === undefined)
        return;
    if (kept.kind !== 'file') {
        log.warning(`${input}: nothing was written to ${target}, since there is nothing to copy.`);
        return;
    }
    try {
        await copyIntoWorkspace(kept.path, target, environment);
        log.info(`Copied to ${target} (${input})`);
    }
    catch (error) {
        log.warning(`${input}: could not write ${target}: ${(0,errors/* messageOf */.bD)(error)}`);
    }
}

;// CONCATENATED MODULE: ./src/github/file-text.ts
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
    const file = await (0,external_node_fs_promises_.open)(path);
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

// EXTERNAL MODULE: ./src/github/foreign-text.ts
var foreign_text = __webpack_require__(39);
// EXTERNAL MODULE: ./src/version.ts
var version = __webpack_require__(311);
;// CONCATENATED MODULE: ./src/actions/execution-record.ts

function executionRecord({ run, conclusion, status, finishedAt }, workflowRun) {
    const { executionId, project, automation, startedAt } = run;
    const record = {
        execution_id: executionId,
        project,
        automation,
        conclusion,
        status: status && withoutLinks(status),
        started_at: new Date(startedAt).toISOString(),
        finished_at: new Date(finishedAt).toISOString(),
        workflow_run: workflowRun,
        action: `run-automation ${version/* version */.r}`,
    };
    return `${JSON.stringify(record, null, 2)}\n`;
}
// A job may carry 1 MB of outputs; the documented fields take 200 bytes.
const longestStatus = 32 * 1024;
/** The record as JSON; without what the service's document does not describe when that is much. */
function statusOutput(status) {
    if (!status)
        return '';
    const whole = JSON.stringify(withoutLinks(status));
    if (whole.length <= longestStatus)
        return whole;
    const { exec_uuid, finished, error, stopped, container_error } = status;
    return JSON.stringify({ exec_uuid, finished, error, stopped, container_error });
}
/** Signed links are secrets, whatever key they come under. */
function withoutLinks(status) {
    const links = ['result_url', 'logs_url'];
    return JSON.parse(JSON.stringify(status), (key, value) => links.includes(key) || isAddress(value) ? undefined : value);
}
function isAddress(value) {
    return typeof value === 'string' && /^\s*https?:/i.test(value);
}

;// CONCATENATED MODULE: ./src/github/artifact/name.ts
/** Names of artifacts ("Upload artifact": the characters that the artifact service refuses). */
const refused = /["<>|*?:\r\n\\/\p{Cc}]/gu;
// The service's own limit is 260; the rest of the room is the runner's.
const longest = 200;
/** The name given, or `<automation>-<execution id>` with refused characters replaced by `-`. */
function artifactNameFor(given, automation, executionId) {
    return (given ?? `${automation}-${executionId}`.replace(refused, '-').slice(0, longest).toWellFormed());
}

;// CONCATENATED MODULE: ./src/actions/uploading.ts
/** One artifact of all that a run left. What goes wrong with it changes no verdict. */







async function uploadFiles(plan, uploader, step) {
    const { folder } = plan.files;
    const artifact = await (folder === undefined
        ? Promise.reject(new Error('there is no folder to put it together in'))
        : uploadFolder({ ...plan, folder }, uploader, step)).catch((error) => ({ kind: 'failed', why: (0,errors/* messageOf */.bD)(error) }));
    tellOfArtifact(artifact, folder, step);
    return artifact;
}
async function uploadFolder({ files, record, publishing, folder }, uploader, step) {
    const recordFile = external_node_path_default().join(folder, 'execution.json');
    const recordText = executionRecord(record, workflowRunOf(step.environment));
    await (0,external_node_fs_promises_.writeFile)(recordFile, step.secrets.redact(recordText));
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
    // Redacted before anything is cut: half a secret is one that nobody finds.
    const logTail = files.log.kind === 'file'
        ? step.secrets.redact(await readLastLines(files.log.path, longestLogShown))
        : '';
    outputs.set('log', lastLines((0,foreign_text/* lines */.Mn)(logTail).join('\n'), longestLogOutput));
    const artifact = publishing.uploadArtifact
        ? await uploadFiles({ files, record, publishing }, uploader, step)
        : undefined;
    return { files, logTail, result, artifact };
}
async function publishResult(kept, { outputs, log, secrets }) {
    if (kept.kind !== 'file') {
        outputs.set('result', '');
        return undefined;
    }
    const head = await readHead(kept.path, longestResultOutput);
    const text = textOf(head);
    const fits = text !== undefined && head.complete;
    if (!outputs.setVerbatim('result', fits ? text : '')) {
        log.notice('The result holds a masked value, so the output result stays empty: use result-file.');
    }
    else if (!fits) {
        const why = head.complete ? 'is not text' : `has ${head.size} bytes, more than 256 KiB`;
        log.info(`The result ${why}, so the output result stays empty: use result-file`);
    }
    const { size, complete } = head;
    const shown = text === undefined ? undefined : secrets.redact(text);
    const name = external_node_path_default().basename(kept.path);
    return { name, mediaType: kept.mediaType, size, text: shown, complete };
}
/** The last whole lines that fit into `limit` bytes; of a line that alone is longer, its end. */
function lastLines(text, limit) {
    const bytes = Buffer.from(text);
    if (bytes.length <= limit)
        return text;
    const tail = bytes.subarray(bytes.length - limit);
    const firstBreak = tail.indexOf(0x0a);
    const hasWholeLine = firstBreak !== -1 && firstBreak < tail.length - 1;
    return (hasWholeLine ? tail.subarray(firstBreak + 1) : tail).toString('utf8');
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
        return { text: shorten(traceback.message), ...traceback.frame };
    const told = lines.findLast(readsLikeError);
    if (told)
        return { text: shorten(told.text.trim()) };
    const last = lines.findLast(({ text }) => text.trim());
    return last && { text: shorten(last.text.trim()), isLastLine: true };
}
function readsLikeError({ text, levelled }) {
    if (!text.trim() || stackFrame.test(text))
        return false;
    return failing.test(levelled) && !harmlessLevel.test(levelled) && !fine.test(text);
}
function shorten(text) {
    return text.length <= longestCause ? text : `${text.slice(0, longestCause - 1).toWellFormed()}…`;
}

// EXTERNAL MODULE: ./src/github/annotation.ts
var github_annotation = __webpack_require__(618);
// EXTERNAL MODULE: ./src/github/elapsed.ts
var elapsed = __webpack_require__(323);
// EXTERNAL MODULE: ./src/github/failure-words.ts
var failure_words = __webpack_require__(985);
// EXTERNAL MODULE: ./src/github/step.ts + 19 modules
var github_step = __webpack_require__(62);
// EXTERNAL MODULE: ./src/github/summary/redact.ts
var summary_redact = __webpack_require__(791);
;// CONCATENATED MODULE: ./src/actions/failure.ts
/** How the step fails; undefined where it passes. What counts, `fail-on` and the rules decide. */
function failureOf(report) {
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
function timedOut({ waiting: { timeout }, checks }) {
    return { kind: 'timed-out', timeout, checks };
}
/** The next step counts on the result of a run that succeeded. */
function lostResult(published) {
    const result = published?.files.result;
    return result?.kind === 'unavailable'
        ? { kind: 'result-not-fetched', why: result.why }
        : undefined;
}
function unwatchable(ending) {
    if (ending.kind === 'refused') {
        const { status, words } = ending.failure;
        return { kind: 'credentials-refused', status, words };
    }
    return { kind: 'not-found', words: ending.kind === 'not-found' ? ending.failure.words : '' };
}

// EXTERNAL MODULE: ./src/actions/summarising.ts + 9 modules
var summarising = __webpack_require__(706);
;// CONCATENATED MODULE: ./src/actions/reporting.ts











async function report(given, step) {
    // The runner may have ended the step while files were fetched or uploaded.
    const facts = step.cancelled.aborted ? { ...given, conclusion: 'cancelled' } : given;
    const failure = failureOf(facts);
    const cause = causeOf(facts);
    // Before anything is cut: half a secret is one that nobody finds.
    const redact = (text) => step.secrets.redact(text);
    const annotation = failure &&
        (0,github_annotation/* describeFailure */.Ic)((0,summary_redact/* redactTexts */.S)({ ...circumstances(facts, step), failure, cause }, redact));
    if (facts.conclusion !== given.conclusion)
        step.outputs.set('conclusion', facts.conclusion);
    showTexts(facts, failure !== undefined, step);
    step.log.verdict(headlineOf(facts, annotation), !annotation);
    const remainder = failure ? undefined : whatIsLeftToDo(facts);
    if (remainder !== undefined)
        step.log.info(remainder);
    if (facts.publishing.summary)
        await summarise(facts, { failure, cause, message: remainder }, step);
    return annotation ? { kind: 'failed', annotation } : github_step/* passed */.bF;
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
function showTexts({ conclusion, published, publishing }, failed, { log }) {
    if (!published)
        return;
    const { result, logTail } = published;
    const resultText = result?.text?.trimEnd();
    // What a failed run leaves is seldom worth more than its file.
    if (resultText && conclusion === 'success') {
        const head = firstLines(resultText);
        const whole = head === resultText && result?.complete;
        log.foreignBlock(whole ? 'The result' : 'The beginning of the result', head);
    }
    const shown = publishing.printLog === 'always' || (publishing.printLog === 'on-failure' && failed);
    if (shown && logTail.trim())
        log.foreignBlock('Log of the automation', logTail.trimEnd());
}
// More of a result than this belongs into a file, not into a log.
const resultLinesShown = 20;
const longestResultLine = 2_000;
function firstLines(text) {
    const head = text.split('\n', resultLinesShown);
    return head.map((line) => (0,foreign_text/* cut */.Jj)(line, longestResultLine)).join('\n');
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
function whatIsLeftToDo({ conclusion, waiting, checks, run }) {
    if (conclusion !== 'timed-out')
        return undefined;
    const ending = { kind: conclusion, timeout: waiting.timeout, checks };
    return `${(0,failure_words/* whatHappened */.ez)(ending)}\nNext: ${(0,failure_words/* hintFor */.JR)(ending, run.executionId)}`;
}
async function summarise({ run, conclusion, checks, finishedAt, published }, told, step) {
    const { artifact, logTail, result } = published ?? {};
    const facts = {
        ...{ ...told, conclusion, failed: told.failure !== undefined, checks },
        ...{ automation: run.automation, project: run.project, executionId: run.executionId },
        webhookGiven: run.webhookGiven,
        duration: finishedAt - run.startedAt,
        artifact: artifact?.kind === 'uploaded' ? artifact : undefined,
        runUrl: workflowRunOf(step.environment).url,
        log: logTail,
        result,
    };
    await (0,summarising/* addSummary */.S)(facts, step);
}

// EXTERNAL MODULE: ./src/service/failures.ts
var service_failures = __webpack_require__(808);
;// CONCATENATED MODULE: ./src/execution/sighting.ts


/** A 404 may be a run that the status route does not know yet; a failed run may still finish. */
const grace = 30_000;
/** A service in trouble for shorter is not worth a warning. */
const troubleAfter = 60_000;
const nothingSeen = {
    status: undefined,
    failure: undefined,
    failures: 0,
    failingSince: undefined,
    missingSince: undefined,
    flaggedSince: undefined,
    troubled: false,
};
function seen(status, before, now) {
    const flagged = !status.finished && concludeFrom(status) !== 'success';
    return {
        ...nothingSeen,
        status,
        flaggedSince: flagged ? (before.flaggedSince ?? now) : undefined,
    };
}
function missed(failure, before, now) {
    const missing = failure instanceof service_failures/* Refusal */.P_ && failure.status === 404;
    const failingSince = before.failingSince ?? now;
    return {
        ...before,
        failure,
        failures: before.failures + 1,
        failingSince,
        missingSince: missing ? (before.missingSince ?? now) : undefined,
        troubled: now - failingSince >= troubleAfter,
    };
}

;// CONCATENATED MODULE: ./src/execution/ending.ts



/** The ending that the sighting proves, if it does. */
function endingOf(sighting, now) {
    const { status, failure, missingSince, flaggedSince } = sighting;
    if (failure instanceof service_failures/* Refusal */.P_) {
        if ([401, 403].includes(failure.status))
            return { kind: 'refused', status, failure };
        if (lasted(missingSince, now))
            return { kind: 'not-found', status, failure };
    }
    if (status?.finished || (status && lasted(flaggedSince, now))) {
        return { kind: 'finished', outcome: concludeFrom(status), status };
    }
    return undefined;
}
function lasted(since, now) {
    return since !== undefined && now - since >= grace;
}
/** The ending when no time is left: what the last sighting tells then counts. */
function endingInTime({ status, failure }, cancelled) {
    if (cancelled.aborted)
        return { kind: 'cancelled', status };
    // "When error or container_error is true the run failed", finished or not.
    if (status && concludeFrom(status) !== 'success') {
        return { kind: 'finished', outcome: concludeFrom(status), status };
    }
    if (!status && failure instanceof service_failures/* Refusal */.P_ && failure.status === 404) {
        return { kind: 'not-found', status, failure };
    }
    return { kind: 'timed-out', status, failure };
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

;// CONCATENATED MODULE: ./src/execution/follow.ts




async function follow(watch) {
    const { clock, cancelled, observer } = watch;
    const startedAt = clock.now();
    let sighting = nothingSeen;
    for (let checks = 1;; checks++) {
        const told = await look(watch, sighting);
        observer.onCheck(checks);
        if (!told)
            return endingInTime(sighting, cancelled);
        sighting = told;
        const ending = endingOf(sighting, clock.now());
        if (ending)
            return ending;
        if (watch.once)
            return endingInTime(sighting, cancelled);
        const pause = pauseAfter(sighting, startedAt, watch);
        observer.onPause(pause);
        if (!(await slept(pause, watch)))
            return endingInTime(sighting, cancelled);
    }
}
/** Undefined where the deadline or a cancellation cut the check: it tells nothing of the service. */
async function look(watch, before) {
    const { check, clock, deadline, observer } = watch;
    try {
        const status = await check(deadline.signal);
        if (before.troubled)
            observer.onRecovery();
        return seen(status, before, clock.now());
    }
    catch (failure) {
        if (deadline.signal.aborted)
            return undefined;
        if (!(failure instanceof service_failures/* ServiceFailure */.A))
            throw failure;
        const after = missed(failure, before, clock.now());
        if (after.troubled && !before.troubled)
            observer.onTrouble(failure);
        return after;
    }
}
function pauseAfter(sighting, startedAt, watch) {
    const { failure, failures, missingSince, flaggedSince } = sighting;
    const now = watch.clock.now();
    const usual = pauseBetweenChecks(now - startedAt, watch.pollInterval);
    if (!(failure instanceof service_failures/* ServiceFailure */.A))
        return untilGraceEnds(usual, flaggedSince, now);
    const pause = pauseAfterFailure(usual, failures, failure.retryAfter, watch.random);
    if (failure.retryAfter !== undefined)
        return pause;
    return untilGraceEnds(untilGraceEnds(pause, missingSince, now), flaggedSince, now);
}
/** Not past the end of a grace that is running: the answer then decides. */
function untilGraceEnds(pause, since, now) {
    return since === undefined ? pause : Math.min(pause, Math.max(0, since + grace - now));
}
async function slept(pause, { clock, deadline }) {
    try {
        await clock.sleep(pause, deadline.signal);
        return !deadline.signal.aborted;
    }
    catch {
        return false;
    }
}

// EXTERNAL MODULE: ./src/github/count.ts
var count = __webpack_require__(528);
;// CONCATENATED MODULE: ./src/actions/watching.ts




async function watchRun({ executionId, pollInterval, timeout, deadline }, service, { log, clock, random, cancelled }) {
    log.title('Wait');
    log.info(describePace(pollInterval, timeout));
    const progress = { since: clock.now(), checks: 0, nextAt: 0 };
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
            onCheck: (checks) => (progress.checks = checks),
            onPause: (pause) => (progress.nextAt = clock.now() + pause),
            onTrouble: (failure) => log.warning(`The service has not answered properly for a minute (${(0,errors/* messageOf */.bD)(failure)}). Going on until the timeout.`),
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
            return 'Not finished';
        case 'cancelled':
            return 'Cancelled';
        case 'not-found':
            return 'Not found';
        case 'refused':
            return 'No longer allowed to watch';
    }
}
function describeProgress({ since, checks, nextAt }, clock) {
    const now = clock.now();
    const next = nextAt > now ? `next in ${(0,elapsed/* describeElapsed */.g)(nextAt - now)}` : 'the next one now';
    return `still running after ${(0,elapsed/* describeElapsed */.g)(now - since)}, ${(0,count/* describeCount */.v)(checks, 'check')}, ${next}`;
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
        const finishedAt = step.clock.now();
        const conclusion = conclusionOf(watched.ending);
        const { status } = watched.ending;
        if (status)
            hideLinks(status, step);
        publishFacts({ run, conclusion, status, finishedAt }, step);
        const published = await publish(following, watched.ending, finishedAt, uploader, step);
        return await report({ ...following, ...watched, finishedAt, conclusion, published }, step);
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
    });
}
/** Only a run that has ended has anything to publish. */
async function publish({ run, publishing, deadline, service, store }, ending, finishedAt, uploader, step) {
    if (ending.kind !== 'finished')
        return undefined;
    const files = await collectFiles({ ...run, ...publishing, status: ending.status, deadline: deadline.at }, service, store, step);
    const record = { run, conclusion: ending.outcome, status: ending.status, finishedAt };
    return publishFiles({ files, record, publishing }, uploader, step);
}


/***/ })

};
;