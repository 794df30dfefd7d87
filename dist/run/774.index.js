"use strict";
exports.id = 774;
exports.ids = [774];
exports.modules = {

/***/ 4774:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  RG: () => (/* binding */ download),
  XM: () => (/* binding */ pathOf)
});

// UNUSED EXPORTS: extensionOf, mediaTypeOf

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
var external_node_path_default = /*#__PURE__*/__webpack_require__.n(external_node_path_);
// EXTERNAL MODULE: ./node_modules/mime/dist/src/index.js + 3 modules
var src = __webpack_require__(5086);
// EXTERNAL MODULE: ./src/errors.ts
var errors = __webpack_require__(3916);
// EXTERNAL MODULE: ./src/clock.ts + 1 modules
var clock = __webpack_require__(529);
// EXTERNAL MODULE: ./src/service/errors.ts
var service_errors = __webpack_require__(5756);
// EXTERNAL MODULE: ./src/download/status-refresh.ts
var status_refresh = __webpack_require__(6774);
;// CONCATENATED MODULE: ./src/download/link-retry.ts
/** One file from one link after the other, until it is complete or given up. */




// Source: docs/service.md, "Result and log links". A failed check for new links is not one of the
// five: see status-refresh.ts.
const maxLinksWithoutProgress = 5;
/** Milliseconds before the second of them; the pause doubles from link to link. */
const firstPause = 500;
/**
 * Writes the file, going on where a link before stopped. Resolves with the `content-type` header,
 * or with undefined where there is no link at all. Rejects, with why as the message, where the file
 * is given up.
 */
async function fetchThroughLinks(nextLink, file, { store, clock, stallTimeout }) {
    const { signal } = stallTimeout;
    let furthest = 0;
    let withoutProgress = 0;
    let why;
    for (;;) {
        try {
            if (withoutProgress > 0)
                await clock.sleep(firstPause * 2 ** (withoutProgress - 1), signal);
            const link = await stallTimeout.suspend(() => nextLink(signal));
            if (link === null)
                return undefined;
            return { contentType: await fetchOnce(link, file, store, stallTimeout) };
        }
        catch (error) {
            why = whyFailed(error, signal, why);
        }
        withoutProgress = file.received > furthest ? 0 : withoutProgress + 1;
        furthest = Math.max(furthest, file.received);
        if (withoutProgress === maxLinksWithoutProgress)
            throw new Error(why);
    }
}
async function fetchOnce(link, file, store, stallTimeout) {
    const opened = await store.open(link, file.resumption(), stallTimeout.signal);
    const { status, headers, body } = opened;
    try {
        if (status !== 200 && status !== 206) {
            // 416: the part on the disk does not fit what the store has now.
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
        return headers['content-type'];
    }
    finally {
        opened.close();
    }
}
/** Why this link failed. @throws Error where no other link may be tried. */
function whyFailed(error, { aborted, reason }, before) {
    if (aborted && !(reason instanceof clock/* TimeUp */.Lr))
        throw new Error('cancelled', { cause: error });
    if (error instanceof status_refresh/* NoFreshLinkError */.Y)
        throw error;
    if (aborted) {
        const why = before === undefined ? '' : ` (${before})`;
        throw new Error(`${(0,errors/* messageOf */.bD)(reason)}${why}`, { cause: error });
    }
    return (0,service_errors/* whyUnread */.Ms)(error);
}

// EXTERNAL MODULE: external "node:stream"
var external_node_stream_ = __webpack_require__(7075);
// EXTERNAL MODULE: ./src/service/content-encoding.ts
var content_encoding = __webpack_require__(9130);
;// CONCATENATED MODULE: ./src/download/partial-content.ts
/** The version that a complete answer (200) begins. */
function versionOf(headers) {
    return {
        etag: headers.etag,
        encoding: headers['content-encoding'],
        total: numberOf(headers['content-length']),
    };
}
/**
 * The headers that ask for the rest of a file after `received` bytes, and for the whole where it
 * has changed since. None where the ETag does not make that safe: a weak one promises the same
 * meaning, not the same bytes (RFC 9110, sections 8.8.1 and 13.1.5).
 */
function resumptionHeaders(version, received) {
    const etag = version?.etag;
    if (received === 0 || !etag || !strongTag.test(etag))
        return {};
    return { range: `bytes=${String(received)}-`, 'if-range': etag };
}
const strongTag = /^"[\x21\x23-\x7e\x80-\xff]*"$/;
/** Whether a partial answer (206) continues this version after `received` bytes. */
function continuesVersion(headers, { etag, encoding, total }, received) {
    const range = rangeOf(headers);
    return (range.from === received &&
        (headers.etag ?? etag) === etag &&
        headers['content-encoding'] === encoding &&
        (total === undefined || range.total === undefined || range.total === total));
}
/**
 * Where the part of an answer begins, and the bytes of the whole file; both undefined where
 * `Content-Range` is missing or invalid, the second also where the store does not know it (`*`).
 */
function rangeOf(headers) {
    const [, from, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers['content-range'] ?? '') ?? [];
    return from === undefined ? {} : { from: Number(from), total: numberOf(total) };
}
function numberOf(header) {
    return header !== undefined && /^\d+$/.test(header) ? Number(header) : undefined;
}

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
/** A resumable file: a download that may break off, go on through another link, or start over. */





/** For each answer of the store: `begin` with its head, `write` each chunk, then `complete`. */
class ResumableFile {
    path;
    /** Bytes received over the wire, encoded as they came: where a resumption goes on. */
    received = 0;
    /** The encoding, untrusted, that is not supported: the bytes on the disk are still in it. */
    unknownEncoding;
    #signal;
    #version;
    #sink;
    /** `signal` ends whatever is still being decoded or written. */
    constructor(path, signal) {
        this.path = path;
        this.#signal = signal;
    }
    /** The request headers that ask for the rest; none where the whole must be asked for. */
    resumption() {
        return resumptionHeaders(this.#version, this.received);
    }
    /**
     * Takes the head of an answer: 206 goes on where the file stopped, anything else starts over.
     * Rejects, and starts over, where a part does not continue the file.
     */
    async begin(status, headers) {
        const version = this.#version;
        if (status === 206 && version && continuesVersion(headers, version, this.received)) {
            // Where the first answer had no length, that of the rest names it.
            version.total ??= rangeOf(headers).total;
            return;
        }
        await this.discard();
        if (status === 206)
            throw new Error('the store sent another part than the one asked for');
        this.#version = versionOf(headers);
        const { decoders, unknown } = await (0,content_encoding/* decodingFor */.T)(headers['content-encoding']);
        this.unknownEncoding = unknown;
        this.#sink = openSink(this.path, decoders);
        if (this.#signal)
            (0,external_node_stream_.addAbortSignal)(this.#signal, this.#sink.stream);
    }
    /** Resolves when the chunk was taken. Rejects, and starts over, where decoder or disk fail. */
    async write(chunk) {
        const stream = this.#sink?.stream;
        if (!stream)
            throw new Error('nothing has begun');
        this.received += chunk.length;
        try {
            await writeTo(stream, chunk);
        }
        catch (error) {
            await this.discard();
            throw error;
        }
    }
    /**
     * Ends the file. Rejects where bytes are missing, which a resumption may bring, and, starting
     * over, where they cannot be decoded or written.
     */
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
    /** Forgets what was received, and removes it from the disk. */
    async discard() {
        this.#sink?.stream.destroy();
        await this.#sink?.done.catch(() => undefined);
        this.#sink = this.#version = undefined;
        this.received = 0;
        await (0,promises_.rm)(this.path, { force: true });
    }
}

;// CONCATENATED MODULE: ./src/download/stall-timeout.ts
/** The stall timeout of a download: how long it may go without a byte. */

// Thirty seconds without a byte, through up to five links, are a store that is down. The step has
// to end within two seconds after its deadline, unless bytes are coming.
const stallLimits = {
    stall: 30_000,
    stallAfterDeadline: 1_000,
    maxAfterDeadline: 600_000,
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
    /** Milliseconds since the last byte during which none could come. */
    #excluded = 0;
    #isSuspended = false;
    /**
     * @param deadline the moment on `clock` at which the step's time runs out
     * @param parent when it aborts, `signal` does so with its reason
     */
    constructor(clock, deadline, parent, limits = stallLimits) {
        this.#clock = clock;
        this.#deadline = deadline;
        this.#limits = limits;
        this.#lastByte = clock.now();
        this.signal = AbortSignal.any([this.#timeUp.signal, parent]);
        void this.#watch();
    }
    /** A byte came: the time starts anew. */
    renew() {
        this.#lastByte = this.#clock.now();
        this.#excluded = 0;
    }
    /** Runs `work`, during which no byte can come. Before the deadline its time is not counted. */
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
    /** Releases the timer; the signal does not abort by time any more. */
    [Symbol.dispose]() {
        this.#isReleased = true;
        this.#wake.abort();
    }
    async #watch() {
        while (!this.#isReleased) {
            const rest = this.#end() - this.#clock.now();
            if (rest <= 0) {
                this.#timeUp.abort(new clock/* TimeUp */.Lr(this.#why()));
                return;
            }
            this.#wake = new AbortController();
            await this.#clock.sleep(rest, this.#wake.signal).catch(() => undefined);
        }
    }
    #why() {
        const { stall, maxAfterDeadline } = this.#limits;
        const late = this.#clock.now() - this.#deadline;
        if (late < 0)
            return `no byte came for ${String(stall / 1000)} s`;
        return late < maxAfterDeadline
            ? 'the input timeout ran out before it had come'
            : `it had not come ${String(maxAfterDeadline / 60_000)} min after the input timeout ran out`;
    }
    #end() {
        const { stall, stallAfterDeadline, maxAfterDeadline } = this.#limits;
        const stalled = this.#isSuspended ? Infinity : this.#lastByte + this.#excluded + stall;
        const afterDeadline = Math.max(this.#deadline, this.#lastByte) + stallAfterDeadline;
        return Math.min(stalled, afterDeadline, this.#deadline + maxAfterDeadline);
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
/** One file, from its signed links to its final name on the disk. */







/**
 * Fetches one file. Never rejects: a file that cannot be had is one of the outcomes, and leaves
 * nothing behind on the disk. Source: docs/service.md, "Result and log links".
 */
async function download(nextLink, target, context) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const { store, clock, deadline, cancelled } = context;
        const stallTimeout = __addDisposableResource(env_1, new StallTimeout(clock, deadline, cancelled, context.stallTimeout), false);
        const file = new ResumableFile(external_node_path_default().join(target.folder, `${target.name}.part`), stallTimeout.signal);
        try {
            const fetched = await fetchThroughLinks(nextLink, file, { store, clock, stallTimeout });
            if (fetched === undefined)
                return { kind: 'not-kept' };
            const mediaType = mediaTypeOf(fetched.contentType);
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
/**
 * `application/json; charset=utf-8` → `application/json`; in the letters that came, so
 * that a secret in it is found; empty where the answer has none.
 */
function mediaTypeOf(contentType) {
    return contentType?.split(';', 1)[0]?.trim() ?? '';
}
/** The extension, dot included, that a file of this media type usually has; `.bin` if unknown. */
function extensionOf(mediaType) {
    const type = mediaType.toLowerCase();
    const known = src/* default */.A.getExtension(type);
    if (known)
        return `.${known}`;
    // The structured syntax suffix (RFC 6838, section 4.2.8).
    const suffix = /\+(json|xml|zip)$/.exec(type)?.[1];
    return suffix ? `.${suffix}` : '.bin';
}
/** The absolute path; empty where there is no file. */
function pathOf(file) {
    return file.kind === 'file' ? file.path : '';
}


/***/ }),

/***/ 6774:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   E: () => (/* binding */ StatusRefresh),
/* harmony export */   Y: () => (/* binding */ NoFreshLinkError)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3916);
/* harmony import */ var _service_backoff_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(9215);
/* harmony import */ var _service_errors_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5756);



/** The service was asked long enough, or refuses; the message says why. */
class NoFreshLinkError extends Error {
    name = 'NoFreshLinkError';
}
// Milliseconds. A restart of the service takes a minute at most, and a finished run's result is
// worth that. Source: docs/service.md, "Result and log links".
const maxOutage = 60_000;
const firstPause = 500;
/** Asks for status records. All callers share the calls, the pauses and the outage's limit. */
class StatusRefresh {
    #check;
    #clock;
    #deadline;
    #pending;
    #outage;
    constructor({ check, clock, deadline }) {
        this.#check = check;
        this.#clock = clock;
        this.#deadline = deadline;
    }
    /**
     * A record asked for now. Rejects with {@link NoFreshLinkError}, or with the signal's reason where
     * it aborts while there is no outage.
     */
    async fresh(signal) {
        for (;;) {
            try {
                await this.#clock.sleep((this.#outage?.until ?? 0) - this.#clock.now(), signal);
                return await this.#checkShared(signal);
            }
            catch (error) {
                const failure = this.#outage?.failure;
                if (signal.aborted && failure === undefined)
                    throw error;
                if (signal.aborted || this.#isFinal()) {
                    const why = (0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .messageOf */ .bD)(failure);
                    throw new NoFreshLinkError(`no fresh link could be had: ${why}`, { cause: failure });
                }
            }
        }
    }
    async #checkShared(signal) {
        this.#pending ??= this.#checkOnce(signal).finally(() => (this.#pending = undefined));
        return this.#pending;
    }
    async #checkOnce(signal) {
        try {
            const status = await this.#check(signal);
            this.#outage = undefined;
            return status;
        }
        catch (error) {
            // A call that its caller cut short shows no outage, and another caller may still want it.
            if (!signal.aborted)
                this.#outage = this.#outageAfter(error);
            throw error;
        }
    }
    #outageAfter(failure) {
        const now = this.#clock.now();
        const { since = now, failures: before = 0 } = this.#outage ?? {};
        const failures = before + 1;
        const retryAfter = failure instanceof _service_errors_js__WEBPACK_IMPORTED_MODULE_1__/* .ServiceError */ ._7 ? failure.retryAfter : undefined;
        const pause = (0,_service_backoff_js__WEBPACK_IMPORTED_MODULE_2__/* .pauseAfterFailure */ .Xf)(firstPause, failures, retryAfter, () => 0);
        // The last call is made when the outage reaches its limit.
        const untilLimit = Math.max(0, since + maxOutage - now);
        const next = retryAfter === undefined ? Math.min(pause, untilLimit) : pause;
        return { since, failures, failure, until: now + next };
    }
    #isFinal() {
        if (!this.#outage)
            return false;
        const { since, failure, until } = this.#outage;
        if (failure instanceof _service_errors_js__WEBPACK_IMPORTED_MODULE_1__/* .HttpError */ .j$ && [401, 403].includes(failure.status))
            return true;
        // The check itself may know that there is none.
        if (failure instanceof NoFreshLinkError)
            return true;
        const asksToWait = failure instanceof _service_errors_js__WEBPACK_IMPORTED_MODULE_1__/* .ServiceError */ ._7 && failure.retryAfter !== undefined;
        if (asksToWait && until > this.#deadline)
            return true;
        return this.#clock.now() - since >= maxOutage;
    }
}


/***/ })

};
;