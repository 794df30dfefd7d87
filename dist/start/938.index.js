"use strict";
exports.id = 938;
exports.ids = [938];
exports.modules = {

/***/ 938:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  recallEarlier: () => (/* binding */ recallEarlier)
});

// EXTERNAL MODULE: ./src/errors.ts
var errors = __webpack_require__(916);
// EXTERNAL MODULE: ./src/clock.ts + 1 modules
var src_clock = __webpack_require__(529);
// EXTERNAL MODULE: ./src/service/backoff.ts
var backoff = __webpack_require__(215);
// EXTERNAL MODULE: ./src/service/errors.ts
var service_errors = __webpack_require__(756);
;// CONCATENATED MODULE: ./src/execution/conclusion.ts
/**
 * The outcome that the flags tell. Which of them may come together is not known
 * (docs/service.md, "Execution status record"): a dead container explains an error and a stop, and
 * an error outweighs a stop.
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
/** The conclusion that an ending comes to; `not-started` is none of the action's, for no run exists. */
function conclusionOf(ending) {
    switch (ending.kind) {
        case 'finished':
            return ending.outcome;
        case 'timed-out':
        case 'cancelled':
        case 'not-started':
            return ending.kind;
        case 'unknown-start':
        case 'not-found':
        case 'refused':
        case 'rejected':
            return 'unknown';
    }
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
    for (let checks = 0; !cancelled.aborted;) {
        const isLast = plan.once || deadline.signal.aborted;
        const told = await checkOnce(plan, state);
        if (!told)
            break;
        if (told !== state) {
            state = told;
            listener.onCheck(++checks, state);
            const ending = endingOf(state, clock.now());
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
    return endingInTime(state, cancelled);
}
/**
 * Undefined where a cancellation cut the check: it tells nothing of the service. The same state
 * where the check was not sent before its time was over.
 */
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
            if (error instanceof service_errors/* NotSentError */.SD)
                return before;
            const failure = signal.aborted ? cutByTime() : error;
            if (!(failure instanceof service_errors/* ServiceError */._7))
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
    return new service_errors/* NetworkError */.Dr('no answer came in time', { mayHaveArrived: true });
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
// Each check is a paid call; nobody minds learning of an hour's run half a minute late.
const shareOfAge = 0.02;
const longestPause = 30_000;
/** The pause grows with the run's age: 2 % of it, at most 30 s, never below `pollInterval`. */
function pauseBetweenChecks(age, pollInterval) {
    return Math.max(pollInterval, Math.min(longestPause, age * shareOfAge));
}

;// CONCATENATED MODULE: ./src/execution/look.ts
var look_addDisposableResource = (undefined && undefined.__addDisposableResource) || function (env, value, async) {
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
var look_disposeResources = (undefined && undefined.__disposeResources) || (function (SuppressedError) {
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
/** What became of an execution that was started before: asked for before anything else is decided. */



// Milliseconds between two checks at first.
const pollInterval = 1_000;
/** Milliseconds that the first answer may take and its 404 still count as one of 30 s. */
const longestFirstAnswer = 2_000;
/** Asks until the first proper answer, for 30 s at most and one last check. */
async function lookAt(executionId, { service, clock, random, cancelled, onStatus }) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const deadline = look_addDisposableResource(env_1, new src_clock/* Deadline */.B2(clock, grace, cancelled), false);
        let state = nothingKnown;
        let checkedAt = 0;
        const check = async (signal) => {
            const status = await service.executionStatus(executionId, signal);
            onStatus(status);
            return status;
        };
        const ending = await poll({
            ...{ check, clock, deadline, cancelled, pollInterval, random },
            ...{ once: false, untilAnswered: true },
            listener: {
                onCheck: (_, told) => {
                    state = told;
                    checkedAt = clock.now();
                },
                onPause: () => undefined,
                onTrouble: () => undefined,
                onRecovery: () => undefined,
            },
        });
        return lookFrom(ending, state, checkedAt);
    }
    catch (e_1) {
        env_1.error = e_1;
        env_1.hasError = true;
    }
    finally {
        look_disposeResources(env_1);
    }
}
function lookFrom(ending, state, checkedAt) {
    switch (ending.kind) {
        case 'finished':
            // A flag without `finished`: it may still finish, and whoever follows it decides.
            return ending.status.finished ? ending : { kind: 'running' };
        case 'refused':
            return { kind: 'refused', failure: ending.failure };
        case 'not-found':
            return hasLasted(state, checkedAt)
                ? { kind: 'not-found', failure: ending.failure }
                : { kind: 'not-learned', failure: ending.failure };
        case 'timed-out':
            return ending.status && !ending.failure
                ? { kind: 'running' }
                : { kind: 'not-learned', failure: ending.failure };
        case 'rejected':
            return { kind: 'not-learned', failure: ending.failure };
        case 'cancelled':
            return { kind: 'cancelled' };
        case 'not-started':
        case 'unknown-start':
            return { kind: 'not-learned', failure: undefined };
    }
}
/**
 * A 404 that came late or after other failures, or was not asked for again since the service
 * forbade it (`Retry-After`), has not lasted long enough to prove anything.
 */
function hasLasted({ missingSince, failingSince }, checkedAt) {
    if (missingSince === undefined || missingSince !== failingSince)
        return false;
    return checkedAt - missingSince >= grace - longestFirstAnswer;
}

;// CONCATENATED MODULE: ./src/messages/rerun.ts
const ends = {
    start: 'starting a new run',
    follow: 'waiting for it; nothing new is started',
    'hand-over': 'handing its id over; nothing new is started',
    fail: 'nothing is started',
};
const cancelledBeforeFound = 'This step was cancelled while it looked for what an earlier attempt of this job had started: nothing is started';
function describeRerun(situation, course, facts) {
    const values = { attempt: String(facts.attempt), id: facts.executionId, why: facts.why };
    switch (situation) {
        case 'memory-unreadable':
        case 'start-unknown':
        case 'not-found':
            return { kind: 'warning', name: `rerun-${situation}`, values };
        case 'not-learned':
            if (course === 'hand-over')
                return { kind: 'warning', name: 'rerun-not-learned', values };
            return line(facts, `may still be running, as far as is known (${facts.why})`, ends[course]);
        case 'no-record':
            return {
                kind: 'line',
                text: `Attempt ${facts.attempt}: no earlier attempt of this job left a record of this step; starting`,
            };
        case 'told':
            return line(facts, `ended with ${facts.conclusion}, which was told then`, ends[course]);
        case 'running':
            return line(facts, 'is still running', ends[course]);
        case 'succeeded':
        case 'failed':
            return line(facts, `ended with ${facts.conclusion}, which was never told`, handingOn(course));
        case 'reusable':
            return line(facts, 'ended with success', `${handingOn(course)} (on-rerun: reuse)`);
        case 'credentials-refused':
            return line(facts, `can't be asked for (${facts.why})`, ends.fail);
        case 'cancelled':
            if (facts.executionId === '')
                return { kind: 'line', text: cancelledBeforeFound };
            return line(facts, 'was being asked for when this step was cancelled', ends.fail);
    }
}
function line({ attempt, executionId }, state, done) {
    const text = `Execution ${executionId}, which attempt ${attempt} started, ${state}: ${done}`;
    return { kind: 'line', text };
}
function handingOn(course) {
    return course === 'follow' ? 'handing on what it left; nothing new is started' : ends[course];
}

// EXTERNAL MODULE: ./src/runner/workflow-run.ts
var workflow_run = __webpack_require__(93);
// EXTERNAL MODULE: ./src/actions/progress.ts
var progress = __webpack_require__(15);
;// CONCATENATED MODULE: ./src/actions/rerun-rules.ts
/** Per situation, for what waits (root, and each run of a batch) and for `start`. */
const courses = {
    'no-record': { run: 'start', start: 'start' },
    'memory-unreadable': { run: 'start', start: 'start' },
    'start-unknown': { run: 'start', start: 'start' },
    told: { run: 'start', start: 'start' },
    running: { run: 'follow', start: 'hand-over' },
    succeeded: { run: 'follow', start: 'start' },
    failed: { run: 'start', start: 'start' },
    reusable: { run: 'follow', start: 'hand-over' },
    'not-learned': { run: 'follow', start: 'hand-over' },
    // Who follows it meets the refusal again, and ends `unknown`.
    'credentials-refused': { run: 'follow', start: 'fail' },
    'not-found': { run: 'start', start: 'start' },
    cancelled: { run: 'follow', start: 'fail' },
};
/** The situation as the record alone tells it; undefined where the service has to be asked. */
function situationByRecord(found, onRerun) {
    if (found.kind === 'nothing')
        return 'no-record';
    if (found.kind === 'unreadable')
        return 'memory-unreadable';
    const { record } = found;
    switch (record.kind) {
        case 'unknown':
            return 'start-unknown';
        case 'started':
            return undefined;
        case 'told':
            return onRerun === 'reuse' && record.conclusion === 'success' ? undefined : 'told';
    }
}
/** The situation once the service was asked about the execution of the record. */
function situationByLook(look, onRerun) {
    switch (look.kind) {
        case 'finished':
            if (look.outcome !== 'success')
                return 'failed';
            return onRerun === 'reuse' ? 'reusable' : 'succeeded';
        case 'running':
        case 'not-learned':
        case 'not-found':
        case 'cancelled':
            return look.kind;
        case 'refused':
            return 'credentials-refused';
    }
}

;// CONCATENATED MODULE: ./src/actions/earlier-execution.ts
/** Asks what an earlier attempt of this step started, and what became of it. */






async function recallEarlier(asking, step) {
    const { action, recorder } = asking;
    const learned = await learn(asking, step);
    const course = courses[learned.situation][action];
    const said = describeRerun(learned.situation, course, factsOf(learned, step));
    if (said.kind === 'line')
        step.log.info(said.text);
    else
        step.log.note(said.name, said.values);
    const record = recordIn(learned.found);
    if (course === 'start' || !record || record.kind === 'unknown')
        return { course: 'start' };
    const { executionId } = record;
    recorder.takeOver(record);
    step.outputs.set('execution-id', executionId);
    step.outputs.set('resumed', 'true');
    const { look } = learned;
    if (course === 'fail')
        return { course, executionId, failure: failureBy(look) };
    const ending = look?.kind === 'finished' ? look : undefined;
    return { course, executionId, standing: standingOf(record, look), ending };
}
function standingOf(record, look) {
    if (look?.kind === 'finished')
        return look.outcome;
    if (record.kind === 'told')
        return record.conclusion;
    return look?.kind === 'running' ? 'running' : 'not-learned';
}
async function learn({ onRerun, recorder, service }, step) {
    const found = await recorder.find();
    const isCutShort = found.kind === 'unreadable' && step.cancelled.aborted;
    const situation = isCutShort ? 'cancelled' : situationByRecord(found, onRerun);
    if (situation)
        return { situation, found, look: undefined };
    const { clock, random, cancelled } = step;
    const onStatus = (status) => (0,progress/* hideLinks */.Yi)(status, step);
    const look = await lookAt(idIn(found), { service, clock, random, cancelled, onStatus });
    return { situation: situationByLook(look, onRerun), found, look };
}
function recordIn(found) {
    return found.kind === 'found' ? found.record : undefined;
}
function idIn(found) {
    const record = recordIn(found);
    return record === undefined || record.kind === 'unknown' ? '' : record.executionId;
}
function factsOf({ found, look }, { secrets, environment }) {
    const record = recordIn(found);
    const told = record?.kind === 'told' ? record.conclusion : '';
    return {
        attempt: record?.attempt ?? (0,workflow_run/* attemptOf */.tx)(environment),
        executionId: idIn(found),
        conclusion: look?.kind === 'finished' ? look.outcome : told,
        why: found.kind === 'unreadable' ? found.why : secrets.words(whyNotLearned(look)),
    };
}
function whyNotLearned(look) {
    if (look === undefined || !('failure' in look))
        return '';
    return look.failure ? (0,errors/* messageOf */.bD)(look.failure) : 'no answer came';
}
/** How `start` fails where it may start nothing and cannot hand over what runs. */
function failureBy(look) {
    if (look?.kind !== 'refused')
        return { kind: 'cancelled', ended: false };
    const { status, words } = look.failure;
    return { kind: 'credentials-refused', status, words };
}


/***/ })

};
;