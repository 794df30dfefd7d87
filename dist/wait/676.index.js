"use strict";
exports.id = 676;
exports.ids = [676];
exports.modules = {

/***/ 8676:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  collect: () => (/* binding */ collect)
});

// EXTERNAL MODULE: ./src/errors.ts
var errors = __webpack_require__(3916);
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
var external_node_path_default = /*#__PURE__*/__webpack_require__.n(external_node_path_);
// EXTERNAL MODULE: ./src/clock.ts + 1 modules
var clock = __webpack_require__(529);
// EXTERNAL MODULE: external "node:stream"
var external_node_stream_ = __webpack_require__(7075);
// EXTERNAL MODULE: ./src/service/content-encoding.ts
var content_encoding = __webpack_require__(9130);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: external "node:stream/promises"
var external_node_stream_promises_ = __webpack_require__(6466);
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
var src = __webpack_require__(5086);
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
const stallLimits = {
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
    constructor(clock, deadline, parent, limits = stallLimits) {
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
                this.#timeUp.abort(new clock/* TimeUp */.Lr('no byte came for too long'));
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
var service_errors = __webpack_require__(5756);
// EXTERNAL MODULE: ./src/service/backoff.ts
var backoff = __webpack_require__(9215);
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
        const pause = (0,backoff/* pauseAfterFailure */.X)(firstPause, failures, retryAfter, () => 0);
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
        const stallTimeout = __addDisposableResource(env_1, new StallTimeout(clock, deadline, cancelled, context.stallTimeout), false);
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
        __disposeResources(env_1);
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
    if (aborted && !(reason instanceof clock/* TimeUp */.Lr))
        throw new Error('cancelled', { cause: error });
    if (error instanceof NoFreshLink)
        throw error;
    if (aborted)
        throw new Error(`no byte came for too long (${before})`, { cause: error });
    return (0,errors/* messageOf */.bD)(error);
}

;// CONCATENATED MODULE: ./src/download/collect.ts
/** From the links of a status record to the files of result and log. */



/** Fetches both at once, side by side: the links live 60 s, and a slow result must not cost the log. */
async function collect(status, context) {
    const folder = await context.makeFolder().catch((error) => new Error((0,errors/* messageOf */.bD)(error)));
    if (folder instanceof Error)
        return lostFiles(status, folder.message);
    const links = new Links(status, new StatusRefresh(context));
    const [result, log] = await Promise.all([
        download(links.of('result_url'), { folder, name: 'result' }, context),
        download(links.of('logs_url'), { folder, name: 'run', extension: '.log' }, context),
    ]);
    return { folder, result, log };
}
function lostFiles({ result_url, logs_url }, why) {
    const lost = (link) => link === null ? { kind: 'not-kept' } : { kind: 'unavailable', why };
    return { folder: undefined, result: lost(result_url), log: lost(logs_url) };
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


/***/ }),

/***/ 9215:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   X: () => (/* binding */ pauseAfterFailure)
/* harmony export */ });
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


/***/ })

};
;