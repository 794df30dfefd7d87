"use strict";
exports.id = 274;
exports.ids = [274];
exports.modules = {

/***/ 7274:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   collect: () => (/* binding */ collect),
/* harmony export */   lostFiles: () => (/* binding */ lostFiles)
/* harmony export */ });
/* harmony import */ var _clock_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(529);
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(3916);
/* harmony import */ var _download_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4774);
/* harmony import */ var _status_refresh_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(6774);
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
/** From the links of a status record to the files of result and log. */




// Milliseconds. Links live 60 s, and fetching takes time, too.
const freshFor = 30_000;
/** How long fresh links may be asked for after a wait, once the step's time is over. */
const longestRefresh = 60_000;
/**
 * Fetches both files side by side: a slow result must not let the log's link expire. Never
 * rejects. Source: docs/service.md, "Result and log links".
 */
async function collect(status, context) {
    const { clock, cancelled, turn } = context;
    if (!turn)
        return fetchBoth(linksOf(status, context), status, context);
    const seenAt = clock.now();
    const fetchInTurn = async () => {
        const deadline = Math.max(context.deadline, clock.now());
        const links = linksOf(status, { ...context, deadline });
        if (clock.now() - seenAt > freshFor) {
            const env_1 = { stack: [], error: void 0, hasError: false };
            try {
                const bound = __addDisposableResource(env_1, new _clock_js__WEBPACK_IMPORTED_MODULE_0__/* .Deadline */ .B2(clock, deadline + longestRefresh - clock.now(), cancelled), false);
                await links.renew(bound.signal);
            }
            catch (e_1) {
                env_1.error = e_1;
                env_1.hasError = true;
            }
            finally {
                __disposeResources(env_1);
            }
        }
        return fetchBoth(links, status, { ...context, deadline });
    };
    try {
        return await turn(cancelled, fetchInTurn);
    }
    catch (error) {
        return lostFiles(status, cancelled.aborted ? 'cancelled' : (0,_errors_js__WEBPACK_IMPORTED_MODULE_1__/* .messageOf */ .bD)(error));
    }
}
async function fetchBoth(links, status, context) {
    const folder = await context.makeFolder().catch((error) => new Error((0,_errors_js__WEBPACK_IMPORTED_MODULE_1__/* .messageOf */ .bD)(error)));
    if (folder instanceof Error)
        return lostFiles(status, folder.message);
    const [result, log] = await Promise.all([
        (0,_download_js__WEBPACK_IMPORTED_MODULE_2__/* .download */ .RG)(links.of('result_url'), { folder, name: 'result' }, context),
        (0,_download_js__WEBPACK_IMPORTED_MODULE_2__/* .download */ .RG)(links.of('logs_url'), { folder, name: 'run', extension: '.log' }, context),
    ]);
    return { folder, result, log };
}
/** What is said of files that could not even be asked for. */
function lostFiles({ result_url, logs_url }, why) {
    const lost = (link) => link === null ? { kind: 'not-kept' } : { kind: 'unavailable', why };
    return { folder: undefined, result: lost(result_url), log: lost(logs_url) };
}
function linksOf(status, { check, clock, deadline }) {
    return new Links(status, new _status_refresh_js__WEBPACK_IMPORTED_MODULE_3__/* .StatusRefresh */ .E({ check, clock, deadline }));
}
/** Gives each known link once, then asks for new ones. */
class Links {
    #refresh;
    #known;
    constructor({ result_url, logs_url }, refresh) {
        this.#refresh = refresh;
        this.#known = { result_url, logs_url };
    }
    /** Replaces the known links by fresh ones. What is not kept has none and needs none. */
    async renew(signal) {
        if (this.#known.result_url === null && this.#known.logs_url === null)
            return;
        const fresh = await this.#refresh.fresh(signal);
        for (const name of ['result_url', 'logs_url']) {
            if (this.#known[name] !== null)
                this.#known[name] = fresh[name] ?? undefined;
        }
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


/***/ })

};
;