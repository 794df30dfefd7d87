"use strict";
exports.id = 937;
exports.ids = [937];
exports.modules = {

/***/ 3937:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   poll: () => (/* binding */ poll)
/* harmony export */ });
/* unused harmony export pauseBetweenChecks */
/* harmony import */ var _clock_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(529);
/* harmony import */ var _service_backoff_js__WEBPACK_IMPORTED_MODULE_4__ = __webpack_require__(9215);
/* harmony import */ var _service_errors_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(5756);
/* harmony import */ var _ending_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(5783);
/* harmony import */ var _poll_state_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(2889);
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
/**
 * Asks for an execution's status until it ends, time runs out, or it can no longer be watched. Knows
 * time, checks, and what a check can tell; neither GitHub nor the network.
 */





/** How long the last check may take, which is made when the time is over. Milliseconds. */
const lastLook = 2_000;
async function poll(plan) {
    const { clock, deadline, cancelled, listener } = plan;
    const startedAt = clock.now();
    let state = _poll_state_js__WEBPACK_IMPORTED_MODULE_0__/* .nothingKnown */ .Hx;
    for (let checks = 0; !cancelled.aborted;) {
        const isLast = plan.once || deadline.signal.aborted;
        const told = await checkOnce(plan, state);
        if (!told)
            break;
        if (told !== state) {
            state = told;
            listener.onCheck(++checks, state);
            const ending = (0,_ending_js__WEBPACK_IMPORTED_MODULE_1__/* .endingOf */ .z6)(state, clock.now());
            if (ending)
                return ending;
        }
        if (isLast || (plan.untilAnswered && !state.failure))
            break;
        await pause(state, startedAt, plan);
        // The time is over, and the service asked not to be called yet.
        if (state.heldUntil !== undefined && state.heldUntil > clock.now())
            break;
    }
    return (0,_ending_js__WEBPACK_IMPORTED_MODULE_1__/* .endingInTime */ .gh)(state, cancelled);
}
/**
 * Undefined where a cancellation cut the check: it tells nothing of the service. The same state
 * where the check was not sent before its time was over.
 */
async function checkOnce(plan, before) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const { check, clock, deadline, cancelled, listener } = plan;
        const late = __addDisposableResource(env_1, deadline.signal.aborted ? new _clock_js__WEBPACK_IMPORTED_MODULE_2__/* .Deadline */ .B2(clock, lastLook, cancelled) : undefined, false);
        const { signal } = late ?? deadline;
        try {
            const status = await check(signal);
            if (before.troubled)
                listener.onRecovery();
            return (0,_poll_state_js__WEBPACK_IMPORTED_MODULE_0__/* .seen */ .cI)(status, before, clock.now());
        }
        catch (error) {
            if (cancelled.aborted)
                return undefined;
            if (error instanceof _service_errors_js__WEBPACK_IMPORTED_MODULE_3__/* .NotSentError */ .SD)
                return before;
            const failure = signal.aborted ? cutByTime() : error;
            if (!(failure instanceof _service_errors_js__WEBPACK_IMPORTED_MODULE_3__/* .ServiceError */ ._7))
                throw failure;
            const after = (0,_poll_state_js__WEBPACK_IMPORTED_MODULE_0__/* .missed */ .cT)(failure, before, clock.now());
            if (after.troubled && !before.troubled)
                listener.onTrouble(failure);
            return after;
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
function cutByTime() {
    return new _service_errors_js__WEBPACK_IMPORTED_MODULE_3__/* .NetworkError */ .Dr('no answer came in time', { mayHaveArrived: true });
}
/** Until the next check; the deadline or a cancellation ends it early. */
async function pause(state, startedAt, plan) {
    const { clock, deadline, listener } = plan;
    if (deadline.signal.aborted)
        return;
    const span = pauseAfter(state, startedAt, plan);
    listener.onPause(span);
    await clock.sleep(span, deadline.signal).catch(() => undefined);
}
function pauseAfter(state, startedAt, plan) {
    const { failure, failures, missingSince, flaggedSince, rejected } = state;
    const now = plan.clock.now();
    const least = Math.max(plan.pollInterval, plan.leastPause?.() ?? 0);
    const usual = pauseBetweenChecks(now - startedAt, least);
    if (failure?.retryAfter !== undefined) {
        return (0,_service_backoff_js__WEBPACK_IMPORTED_MODULE_4__/* .pauseAfterFailure */ .Xf)(usual, failures, failure.retryAfter, plan.random);
    }
    const span = failure ? (0,_service_backoff_js__WEBPACK_IMPORTED_MODULE_4__/* .pauseAfterFailure */ .Xf)(usual, failures, undefined, plan.random) : usual;
    // Not past the end of a grace that is running: the answer then decides.
    const ends = [
        (missingSince ?? -Infinity) + _poll_state_js__WEBPACK_IMPORTED_MODULE_0__/* .grace */ .Fd,
        (flaggedSince ?? -Infinity) + _poll_state_js__WEBPACK_IMPORTED_MODULE_0__/* .grace */ .Fd,
        (rejected?.since ?? -Infinity) + _poll_state_js__WEBPACK_IMPORTED_MODULE_0__/* .rejectionGrace */ .qi,
    ];
    return Math.min(span, ...ends.filter((end) => end > now).map((end) => end - now));
}
// Each check is a paid call; nobody minds learning of an hour's run half a minute late.
const shareOfAge = 0.02;
const longestPause = 30_000;
/** The pause grows with the run's age: 2 % of it, at most 30 s, never below `pollInterval`. */
function pauseBetweenChecks(age, pollInterval) {
    return Math.max(pollInterval, Math.min(longestPause, age * shareOfAge));
}


/***/ })

};
;