"use strict";
exports.id = 463;
exports.ids = [463];
exports.modules = {

/***/ 9463:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  openStorage: () => (/* binding */ openStorage)
});

// UNUSED EXPORTS: StorageThread

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
var external_node_path_default = /*#__PURE__*/__webpack_require__.n(external_node_path_);
// EXTERNAL MODULE: ./src/clock.ts + 1 modules
var src_clock = __webpack_require__(529);
// EXTERNAL MODULE: ./src/errors.ts
var errors = __webpack_require__(3916);
// EXTERNAL MODULE: ./src/runner/stall-watch.ts
var stall_watch = __webpack_require__(4162);
// EXTERNAL MODULE: external "node:os"
var external_node_os_ = __webpack_require__(8161);
// EXTERNAL MODULE: external "node:readline"
var external_node_readline_ = __webpack_require__(481);
// EXTERNAL MODULE: external "node:worker_threads"
var external_node_worker_threads_ = __webpack_require__(5919);
;// CONCATENATED MODULE: ./src/runner/storage/client-line.ts
/** A line that a client of the toolkit prints. */
function readClientLine(line) {
    const [, command, text = ''] = /^::([a-z-]+)(?: [^:]*)?::(.*)$/.exec(line) ?? [];
    return command === undefined ? { command: 'info', text: line } : { command, text: plain(text) };
}
/** As the toolkit escapes a command's text; `%25` last, so that `%250A` stays the text `%0A`. */
function plain(text) {
    return text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%');
}

;// CONCATENATED MODULE: ./src/runner/storage/worker-requests.ts

class WorkerRequests {
    #worker;
    #onLine;
    #waiting = new Map();
    #lastId = 0;
    /** Set once the thread has ended: later requests get it at once. */
    #end;
    /** `onLine` gets what the clients print, the masks they ask for included. */
    constructor(worker, onLine) {
        this.#worker = worker;
        this.#onLine = onLine;
        worker.unref();
        worker.on('message', (message) => this.#take(message));
        worker.on('error', (error) => this.#endAll(error.name, error.message));
        worker.on('exit', () => this.#endAll('Error', 'the storage client ended without an answer'));
    }
    /** Whether nobody waits for an answer. */
    get idle() {
        return this.#waiting.size === 0;
    }
    /** Never rejects. Keeps the program alive until there is an answer. */
    async ask(service, order, signal, onProgress = () => undefined) {
        if (this.#end)
            return this.#end;
        const id = (this.#lastId += 1);
        const { promise, resolve } = Promise.withResolvers();
        const waiting = { lastLine: undefined, onProgress, settle: resolve };
        const giveUp = () => resolve({ kind: 'given-up', lastLine: waiting.lastLine });
        this.#waiting.set(id, waiting);
        signal.addEventListener('abort', giveUp);
        if (signal.aborted)
            giveUp();
        else
            this.#worker.postMessage({ id, service, order });
        this.#worker.ref();
        try {
            return await promise;
        }
        finally {
            signal.removeEventListener('abort', giveUp);
            this.#waiting.delete(id);
            if (this.idle)
                this.#worker.unref();
        }
    }
    /** Ends the thread with all that it still does; those who wait are told so. */
    async stop() {
        await this.#worker.terminate();
    }
    #take(message) {
        const { id, ...answer } = message;
        const waiting = this.#waiting.get(id);
        switch (answer.kind) {
            case 'progress':
                return waiting?.onProgress();
            case 'line':
                if (waiting)
                    waiting.lastLine = wordsIn(answer.line) ?? waiting.lastLine;
                // Also when nobody waits any more: a mask is one all the same.
                this.#onLine(answer.line);
                return;
            case 'report':
            case 'failure':
                return waiting?.settle(answer);
        }
    }
    #endAll(name, message) {
        this.#end ??= { kind: 'failure', name, message };
        for (const { settle } of this.#waiting.values())
            settle(this.#end);
    }
}
/** Undefined where the line is a mask, a program that is run, or one of the many for debugging. */
function wordsIn(line) {
    const { command, text } = readClientLine(line);
    if (text.startsWith('[command]'))
        return undefined;
    return ['info', 'notice', 'warning', 'error'].includes(command) ? text : undefined;
}

;// CONCATENATED MODULE: ./src/runner/storage/open-thread.ts
/** Starts the thread that has GitHub's storage clients. */






function openThread({ workerFile, environment, debug, mask }) {
    const env = {
        // A block may take as long as all: what stalls is ended here.
        ACTIONS_ARTIFACT_UPLOAD_TIMEOUT_MS: String(stall_watch/* stallLimits */.t.longest),
        ...environment,
        // With it, saving to the cache runs `tar` a second time, to list what it has packed.
        RUNNER_DEBUG: '',
        // The cache client packs and unpacks paths relative to it, and runners differ in where it lies.
        GITHUB_WORKSPACE: (0,external_node_os_.homedir)(),
    };
    const worker = new external_node_worker_threads_.Worker(workerFile, { env, stdout: true, stderr: true });
    const relay = (line) => {
        const { command, text } = readClientLine(line);
        if (command === 'add-mask')
            mask(text);
        else
            debug(`storage client: ${text}`);
    };
    for (const stream of [worker.stdout, worker.stderr]) {
        (0,external_node_readline_.createInterface)({ input: stream }).on('line', relay);
    }
    return { worker, requests: new WorkerRequests(worker, relay) };
}

;// CONCATENATED MODULE: ./src/runner/storage/storage-thread.ts
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
/** The side of the action: one thread with GitHub's clients for artifacts and cache, for all. */





/** One a step, for all that it stores. Costs nothing until it is used or loaded. */
function openStorage(step) {
    return new StorageThread({
        workerFile: external_node_path_default().join(step.bundleFolder, '..', 'storage', 'index.js'),
        environment: step.environment,
        debug: (line) => step.log.debug(line),
        mask: (value) => step.secrets.add(value),
        cancelled: step.cancelled,
        clock: step.clock,
    });
}
// Milliseconds. A thread ends at once, unless it waits for a disk that does not answer.
const longestStop = 500;
class StorageThread {
    #context;
    #thread;
    #stopped = false;
    #ended = Promise.resolve();
    constructor(context) {
        this.#context = context;
    }
    /** Begins to load the clients, so that they are ready when they are asked. Returns at once. */
    load() {
        try {
            this.#open();
        }
        catch {
            // Whoever asks is told.
        }
    }
    /** Never rejects. An upload without progress is given up, and any after an hour. */
    async upload(order) {
        const env_1 = { stack: [], error: void 0, hasError: false };
        try {
            const { cancelled, clock } = this.#context;
            const watch = __addDisposableResource(env_1, new stall_watch/* StallWatch */.k(clock, cancelled), false);
            const answer = await this.#ask('upload', order, watch.signal, () => watch.renew());
            if (answer.kind === 'report')
                return answer.report;
            if (answer.kind === 'failure')
                return { ...answer, kind: 'failed' };
            // Nothing else ends it. Whoever waits for something else is not cut off for that: `stop` comes.
            if (this.#thread?.requests.idle)
                void this.#end();
            if (cancelled.aborted)
                return { kind: 'failed', name: 'Cancelled', message: 'cancelled' };
            return { kind: 'failed', name: src_clock/* TimeUp */.Lr.name, message: (0,errors/* messageOf */.bD)(watch.signal.reason) };
        }
        catch (e_1) {
            env_1.error = e_1;
            env_1.hasError = true;
        }
        finally {
            __disposeResources(env_1);
        }
    }
    /** Never rejects. The signal bounds it: the client alone may take minutes, or never answer. */
    async find(prefix, signal) {
        return this.#ask('find', { prefix }, signal);
    }
    /** Never rejects; see `find`. */
    async save(key, signal) {
        return this.#ask('save', { key }, signal);
    }
    /** Never rejects; see `find`. */
    async saveFile(file, signal) {
        return this.#ask('saveFile', file, signal);
    }
    /** Never rejects; see `find`. */
    async restoreFile(order, signal) {
        return this.#ask('restoreFile', order, signal);
    }
    /** Ends all that is still under way, within a moment. Who asks afterwards gets a failure. */
    async stop() {
        this.#stopped = true;
        await this.#end();
    }
    async [Symbol.asyncDispose]() {
        await this.stop();
    }
    async #ask(service, order, signal, onProgress) {
        try {
            return await this.#open().requests.ask(service, order, signal, onProgress);
        }
        catch (error) {
            return { kind: 'failure', name: 'Error', message: (0,errors/* messageOf */.bD)(error) };
        }
    }
    #open() {
        if (this.#stopped)
            throw new Error('the step has ended');
        return (this.#thread ??= openThread(this.#context));
    }
    async #end() {
        const thread = this.#thread;
        this.#thread = undefined;
        if (thread)
            this.#ended = endThread(thread, this.#context.clock);
        await this.#ended;
    }
}
async function endThread({ requests, worker }, clock) {
    const ended = new AbortController();
    const moment = clock.sleep(longestStop, ended.signal).catch(() => undefined);
    await Promise.race([requests.stop(), moment]);
    ended.abort();
    // Ending a thread keeps the program alive until it has ended.
    worker.unref();
}


/***/ })

};
;