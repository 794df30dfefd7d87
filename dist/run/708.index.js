"use strict";
exports.id = 708;
exports.ids = [708];
exports.modules = {

/***/ 1708:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  poll: () => (/* binding */ poll)
});

// EXTERNAL MODULE: ./src/clock.ts + 1 modules
var src_clock = __webpack_require__(529);
// EXTERNAL MODULE: ./src/service/backoff.ts
var backoff = __webpack_require__(9215);
// EXTERNAL MODULE: ./src/service/errors.ts
var errors = __webpack_require__(5756);
// EXTERNAL MODULE: ./src/execution/conclusion.ts
var conclusion = __webpack_require__(3887);
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
    const flagged = !status.finished && (0,conclusion/* concludeFrom */.s)(status) !== 'success';
    return {
        ...nothingKnown,
        status,
        failedChecks: before.failedChecks,
        flaggedSince: flagged ? (before.flaggedSince ?? now) : undefined,
    };
}
function missed(failure, before, now) {
    const missing = failure instanceof errors/* HttpError */.j$ && failure.status === 404;
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
    return failure instanceof errors/* HttpError */.j$ && failure.status === rejected?.status;
}
/** Other failures in between (a reset, a 502) prove nothing; another final refusal begins anew. */
function rejectionOf(failure, before, now) {
    if (!(failure instanceof errors/* HttpError */.j$) || !finalRefusals.has(failure.status))
        return before.rejected;
    if (before.rejected?.status === failure.status)
        return before.rejected;
    return { status: failure.status, since: now };
}

;// CONCATENATED MODULE: ./src/execution/ending.ts



/** The ending that the state proves, if it does. */
function endingOf(state, now) {
    const { status, failure, missingSince, rejected, flaggedSince } = state;
    if (failure instanceof errors/* HttpError */.j$) {
        if ([401, 403].includes(failure.status))
            return { kind: 'refused', status, failure };
        if (lasted(missingSince, now, grace))
            return { kind: 'not-found', status, failure };
        if (isRejected(state) && lasted(rejected?.since, now, rejectionGrace)) {
            return { kind: 'rejected', status, failure };
        }
    }
    if (status?.finished || (status && lasted(flaggedSince, now, grace))) {
        return { kind: 'finished', outcome: (0,conclusion/* concludeFrom */.s)(status), status };
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
    if (status && (0,conclusion/* concludeFrom */.s)(status) !== 'success') {
        return { kind: 'finished', outcome: (0,conclusion/* concludeFrom */.s)(status), status };
    }
    if (!status && failure instanceof errors/* HttpError */.j$ && failure.status === 404) {
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
    let state = nothingKnown;
    for (let checks = 1; !cancelled.aborted; checks++) {
        const isLast = plan.once || deadline.signal.aborted;
        const told = await checkOnce(plan, state);
        if (!told)
            break;
        state = told;
        listener.onCheck(checks, state);
        const ending = endingOf(state, clock.now());
        if (ending)
            return ending;
        if (isLast)
            break;
        await pause(state, startedAt, plan);
        // The time is over, and the service asked not to be called yet.
        if (state.heldUntil !== undefined && state.heldUntil > clock.now())
            break;
    }
    return endingInTime(state, cancelled);
}
/** Undefined where a cancellation cut the check: it tells nothing of the service. */
async function checkOnce(plan, before) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const { check, clock, deadline, cancelled, listener } = plan;
        const late = __addDisposableResource(env_1, deadline.signal.aborted ? new src_clock/* Deadline */.B2(clock, lastLook, cancelled) : undefined, false);
        const { signal } = late ?? deadline;
        try {
            const status = await check(signal);
            if (before.troubled)
                listener.onRecovery();
            return seen(status, before, clock.now());
        }
        catch (error) {
            if (cancelled.aborted)
                return undefined;
            const failure = signal.aborted ? cutByTime() : error;
            if (!(failure instanceof errors/* ServiceError */._7))
                throw failure;
            const after = missed(failure, before, clock.now());
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
    return new errors/* NetworkError */.Dr('no answer came in time', { mayHaveArrived: true });
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
    const usual = pauseBetweenChecks(now - startedAt, plan.pollInterval);
    if (failure?.retryAfter !== undefined) {
        return (0,backoff/* pauseAfterFailure */.Xf)(usual, failures, failure.retryAfter, plan.random);
    }
    const span = failure ? (0,backoff/* pauseAfterFailure */.Xf)(usual, failures, undefined, plan.random) : usual;
    // Not past the end of a grace that is running: the answer then decides.
    const ends = [
        (missingSince ?? -Infinity) + grace,
        (flaggedSince ?? -Infinity) + grace,
        (rejected?.since ?? -Infinity) + rejectionGrace,
    ];
    return Math.min(span, ...ends.filter((end) => end > now).map((end) => end - now));
}


/***/ })

};
;