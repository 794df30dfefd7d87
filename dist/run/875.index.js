"use strict";
exports.id = 875;
exports.ids = [875];
exports.modules = {

/***/ 5875:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   Uploader: () => (/* binding */ Uploader)
/* harmony export */ });
/* harmony import */ var node_readline__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(481);
/* harmony import */ var node_readline__WEBPACK_IMPORTED_MODULE_0___default = /*#__PURE__*/__webpack_require__.n(node_readline__WEBPACK_IMPORTED_MODULE_0__);
/* harmony import */ var node_worker_threads__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5919);
/* harmony import */ var node_worker_threads__WEBPACK_IMPORTED_MODULE_1___default = /*#__PURE__*/__webpack_require__.n(node_worker_threads__WEBPACK_IMPORTED_MODULE_1__);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(3916);
/* harmony import */ var _stall_watch_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4162);
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
            ACTIONS_ARTIFACT_UPLOAD_TIMEOUT_MS: String(_stall_watch_js__WEBPACK_IMPORTED_MODULE_2__/* .stallLimits */ .t.longest),
            ...process.env,
        };
        this.#worker = new node_worker_threads__WEBPACK_IMPORTED_MODULE_1__.Worker(context.workerFile, {
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
            (0,node_readline__WEBPACK_IMPORTED_MODULE_0__.createInterface)({ input: stream }).on('line', (line) => this.#relay(line));
        }
    }
    /** Never rejects. An upload without progress is given up, and any after an hour. */
    async upload(order) {
        const env_1 = { stack: [], error: void 0, hasError: false };
        try {
            const { cancelled, clock } = this.#context;
            const watch = __addDisposableResource(env_1, new _stall_watch_js__WEBPACK_IMPORTED_MODULE_2__/* .StallWatch */ .k(clock, cancelled), false);
            this.#watch = watch;
            this.#worker.ref();
            this.#worker.postMessage(order);
            try {
                return await watch.bound(this.#report);
            }
            catch (error) {
                if (cancelled.aborted)
                    return cutShort;
                return { kind: 'failed', name: 'TimeUp', message: (0,_errors_js__WEBPACK_IMPORTED_MODULE_3__/* .messageOf */ .bD)(error) };
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
            this.#context.mask(unescape(text));
        else
            this.#context.debug(`artifact client: ${command ? unescape(text) : line}`);
    }
}
/** As the toolkit escapes a command's text; `%25` last, so that `%250A` stays the text `%0A`. */
function unescape(text) {
    return text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%');
}
const cutShort = { kind: 'failed', name: 'Cancelled', message: 'cancelled' };


/***/ })

};
;