"use strict";
exports.id = 579;
exports.ids = [579];
exports.modules = {

/***/ 579:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  putCommitStatus: () => (/* binding */ putCommitStatus)
});

// EXTERNAL MODULE: ./src/messages/annotation.ts + 1 modules
var annotation = __webpack_require__(634);
// EXTERNAL MODULE: ./src/messages/text/shown-texts.ts
var shown_texts = __webpack_require__(278);
// EXTERNAL MODULE: ./src/messages/text/untrusted-text.ts
var untrusted_text = __webpack_require__(958);
;// CONCATENATED MODULE: ./src/messages/commit-status.ts



/** UTF-16 units; GitHub counts characters, which are not more. */
const longestDescription = 140;
// GitHub answers 422 to these: "description doesn't accept 4-byte Unicode".
const fourBytes = /[\u{10000}-\u{10ffff}]/gu;
const states = {
    running: 'pending',
    'not-learned': 'pending',
    success: 'success',
    error: 'failure',
    'container-error': 'failure',
    stopped: 'failure',
    unknown: 'error',
    // The run goes on, as far as anybody knows.
    'timed-out': 'pending',
    cancelled: 'pending',
};
/** State and description. `show`: what people may see of a text (`Secrets.show`). */
function describeStatus(facts, show) {
    const { executionId, conclusion } = facts;
    const words = wordsOf(facts, show);
    const whole = executionId === undefined ? words : `${words} (execution ${show(executionId)})`;
    const description = (0,untrusted_text/* inline */.mG)(whole.replace(fourBytes, '\ufffd'), longestDescription);
    return { state: states[conclusion], description };
}
function wordsOf({ conclusion, ending, cause }, show) {
    // The last line of a log that names no error may be about anything.
    const why = cause && !cause.isLastLine ? `: ${(0,annotation/* causeLine */.mB)((0,shown_texts/* showTexts */.K_)(cause, show))}` : '';
    switch (conclusion) {
        case 'running':
            return 'Running';
        case 'not-learned':
            return 'Started; the service does not answer properly now';
        case 'success':
            return 'Succeeded';
        case 'error':
            return `Failed${why}`;
        case 'container-error':
            return `Its container died${why}`;
        case 'stopped':
            return 'Stopped from the dashboard';
        case 'unknown':
            return `How it ends is not known: ${whyUnknown(ending?.kind)}`;
        case 'timed-out':
            return ending?.kind === 'timed-out' && ending.failure
                ? 'No end was seen before the wait was over, since the service did not answer properly'
                : 'Still running when the wait was over; wait again for its verdict';
        case 'cancelled':
            return 'The wait was cancelled, the run goes on; wait again for its verdict';
    }
}
function whyUnknown(kind) {
    if (kind === 'refused')
        return 'the service refused the credentials';
    if (kind === 'rejected')
        return 'the service refused every check';
    if (kind === 'not-found')
        return 'the service knows no such execution';
    return 'it may or may not have started';
}

// EXTERNAL MODULE: ./src/messages/quantities.ts
var quantities = __webpack_require__(107);
;// CONCATENATED MODULE: ./src/messages/commit-status-problem.ts
/** Why a commit status was not set, and what to write where. It changes no verdict. */

/** A half sentence of why, and a sentence of what to do. Both may hold words of others. */
function explainStatusProblem(problem, place) {
    return { why: whyNotSet(problem), hint: hintFor(problem, place) };
}
function whyNotSet(problem) {
    switch (problem.kind) {
        case 'no-commit':
            return `commit-sha is empty, and the commit of the event ${problem.event} need not be the one that the run is about`;
        case 'no-token':
            return 'github-token is empty';
        case 'no-repository':
            return 'GITHUB_REPOSITORY names no repository';
        case 'no-address':
            return 'GITHUB_API_URL is no https address (or has a password in it)';
        case 'refused':
            return answered(problem);
        case 'limited':
            return `${answered(problem)}, twice or for longer than this step waits`;
        case 'unreached':
            return `no answer came from GitHub (${problem.why})`;
        case 'late':
            return `GitHub gave no answer within ${(0,quantities/* describeElapsed */.gN)(problem.limit)}`;
    }
}
function hintFor(problem, place) {
    switch (problem.kind) {
        case 'no-commit':
            return 'Give commit-sha.';
        case 'no-token':
            return "Leave github-token out, so that it is the job's own, or check the name of the secret that it comes from.";
        case 'no-repository':
            return 'Leave commit-status out where the step does not run on GitHub.';
        case 'no-address':
            return 'The token is sent over https alone: leave commit-status out on this runner.';
        case 'refused':
            return hintForRefusal(problem, place);
        case 'limited':
            return 'GitHub limits requests: set fewer statuses at a time.';
        case 'unreached':
        case 'late':
            return `Check that the runner can reach ${place.apiUrl} (name, port, certificate, proxy).`;
    }
}
function answered({ status, words }) {
    return `GitHub answered ${String(status)}${words ? ` (${words})` : ''}`;
}
function hintForRefusal({ status }, { repository, apiUrl }) {
    switch (status) {
        case 401:
            return "Leave github-token out, so that it is the job's own, or give one that has not expired.";
        case 403:
        case 404:
            return `The token may not write commit statuses of ${repository}: write "statuses: write" under "permissions:" of this job. In a pull request from a fork the job's own token stays read-only whatever is written: set the status from a workflow on workflow_run there.`;
        case 422:
            return `Check that commit-sha is a commit of ${repository}, and commit-status.`;
        default:
            return status >= 500
                ? 'GitHub is in trouble; the outcome of this step stands.'
                : `Check that ${apiUrl} (GITHUB_API_URL) is GitHub's API.`;
    }
}

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(760);
var external_node_path_default = /*#__PURE__*/__webpack_require__.n(external_node_path_);
// EXTERNAL MODULE: external "node:url"
var external_node_url_ = __webpack_require__(136);
;// CONCATENATED MODULE: ./src/runner/commit-status/load-client.ts
var __rewriteRelativeImportExtension = (undefined && undefined.__rewriteRelativeImportExtension) || function (path, preserveJsx) {
    if (typeof path === "string" && /^\.\.?\//.test(path)) {
        return path.replace(/\.(tsx)$|((?:\.d)?)((?:\.[^./]+?)?)\.([cm]?)ts$/i, function (m, tsx, d, ext, cm) {
            return tsx ? preserveJsx ? ".jsx" : ".js" : d && (!ext || !cm) ? m : (d + ext + "." + cm.toLowerCase() + "js");
        });
    }
    return path;
};
/** Loads GitHub's client at run time: no bundle of an action holds any of it. */


async function loadGithubClient({ bundleFolder, }) {
    const file = external_node_path_default().join(bundleFolder, '..', 'commit-status', 'index.js');
    return (await import(__rewriteRelativeImportExtension(/* webpackIgnore: true */ (0,external_node_url_.pathToFileURL)(file).href, true)));
}

// EXTERNAL MODULE: ./src/clock.ts + 1 modules
var src_clock = __webpack_require__(529);
// EXTERNAL MODULE: ./src/errors.ts
var errors = __webpack_require__(916);
// EXTERNAL MODULE: ./src/service/backoff.ts
var backoff = __webpack_require__(215);
;// CONCATENATED MODULE: ./src/runner/commit-status/send-status.ts
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
/** One commit status on its way: bounded, sent again once where that may help. */



/** Milliseconds. */
const statusLimits = {
    /** Of a whole status, tries and pause. */
    inAll: 10_000,
    /** So that a request that hangs leaves time for another. */
    oneTry: 4_500,
    /** The runner leaves 7.5 s after a cancellation, in which the step must end too. */
    afterCancellation: 2_000,
    pause: 1_000,
};
/** Never rejects. */
async function sendStatus(post, { clock, random, cancelled }) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const bound = __addDisposableResource(env_1, new StatusBound(clock, cancelled), false);
        const first = await tryOnce(post, clock, bound.signal);
        const pause = pauseAfter(first, clock, random);
        if (pause === undefined || pause >= bound.remaining())
            return first;
        try {
            await clock.sleep(pause, bound.signal);
        }
        catch {
            return first;
        }
        return await tryOnce(post, clock, bound.signal);
    }
    catch (e_1) {
        env_1.error = e_1;
        env_1.hasError = true;
    }
    finally {
        __disposeResources(env_1);
    }
}
async function tryOnce(post, clock, parent) {
    const env_2 = { stack: [], error: void 0, hasError: false };
    try {
        const deadline = __addDisposableResource(env_2, new src_clock/* Deadline */.B2(clock, statusLimits.oneTry, parent), false);
        const { signal } = deadline;
        try {
            const answer = await Promise.race([post(signal), rejectOnAbort(signal)]);
            return { kind: 'answered', answer };
        }
        catch (error) {
            return signal.aborted ? { kind: 'late' } : { kind: 'unreached', why: (0,errors/* messageOf */.bD)(error) };
        }
    }
    catch (e_2) {
        env_2.error = e_2;
        env_2.hasError = true;
    }
    finally {
        __disposeResources(env_2);
    }
}
function rejectOnAbort(signal) {
    return new Promise((_, reject) => {
        const give = () => reject(signal.reason);
        if (signal.aborted)
            give();
        else
            signal.addEventListener('abort', give, { once: true });
    });
}
/** Undefined where another try would get the same answer. */
function pauseAfter(outcome, clock, random) {
    if (outcome.kind !== 'answered')
        return (0,backoff/* pauseBeforeRetry */.Gw)(statusLimits.pause, 1, undefined, random);
    const { status, limited, retryAfter } = outcome.answer;
    if (status < 500 && !limited)
        return undefined;
    const asked = (0,backoff/* parseRetryAfter */.mu)(retryAfter, clock.date().getTime());
    return (0,backoff/* pauseBeforeRetry */.Gw)(statusLimits.pause, 1, asked, random);
}
/** Ends with the time for all, or soon after the step is cancelled. */
class StatusBound {
    signal;
    #hurried = new AbortController();
    #released = new AbortController();
    #deadlines;
    constructor(clock, cancelled) {
        const whole = new src_clock/* Deadline */.B2(clock, statusLimits.inAll, this.#hurried.signal);
        this.signal = whole.signal;
        this.#deadlines = [whole];
        const hurry = () => this.#hurry(new src_clock/* Deadline */.B2(clock, statusLimits.afterCancellation));
        if (cancelled.aborted)
            hurry();
        else
            cancelled.addEventListener('abort', hurry, { once: true, signal: this.#released.signal });
    }
    /** Milliseconds. */
    remaining() {
        return Math.min(...this.#deadlines.map((deadline) => deadline.remaining()));
    }
    [Symbol.dispose]() {
        this.#released.abort();
        for (const deadline of this.#deadlines)
            deadline[Symbol.dispose]();
    }
    #hurry(deadline) {
        this.#deadlines.push(deadline);
        const end = () => this.#hurried.abort(new src_clock/* TimeUp */.Lr('time ran out'));
        deadline.signal.addEventListener('abort', end, { once: true });
    }
}

// EXTERNAL MODULE: ./src/runner/workflow-run.ts
var workflow_run = __webpack_require__(93);
// EXTERNAL MODULE: ./src/service/addresses.ts
var addresses = __webpack_require__(475);
// EXTERNAL MODULE: ./src/service/proxy.ts + 2 modules
var proxy = __webpack_require__(709);
// EXTERNAL MODULE: ./src/version.ts
var version = __webpack_require__(311);
;// CONCATENATED MODULE: ./src/actions/put-commit-status.ts
/** One commit status, from how a run stands to what GitHub made of it. Loaded only when asked for. */








/** Tells what came of it. @throws Error where GitHub's client cannot be used at all. */
async function putCommitStatus(given, action, facts, step, load = loadGithubClient) {
    const { environment, secrets, log, cancelled } = step;
    const { GITHUB_REPOSITORY: repository = '' } = environment;
    const apiUrl = environment['GITHUB_API_URL'] ?? 'https://api.github.com';
    const context = secrets.words(given.context);
    const warn = (problem) => {
        const told = explainStatusProblem(problem, { repository, apiUrl });
        log.note('commit-status-not-set', { context, ...told });
    };
    const target = targetOf(given, apiUrl, environment);
    if ('kind' in target) {
        warn(target);
        return;
    }
    // Says what is wrong with a proxy's variable without its value, which may hold a password.
    (0,proxy/* proxyFor */.i)(new URL(apiUrl));
    const { postStatus } = await load(step);
    const { url } = (0,workflow_run/* workflowRunOf */.ol)(environment);
    const status = {
        ...{ owner: target.owner, repo: target.repo, sha: target.sha, context },
        ...describeStatus(facts, (text) => secrets.show(text)),
        ...(url !== undefined && { target_url: url }),
    };
    const access = { token: target.token, apiUrl, userAgent: `run-automation/${version/* version */.rE} (${action})` };
    const outcome = await sendStatus((signal) => postStatus(status, access, signal), step);
    const problem = problemOf(outcome, cancelled, (text) => secrets.words(text));
    if (problem)
        warn(problem);
    else
        log.info(`Commit status ${context} of ${target.sha.slice(0, 7)}: ${status.state}`);
}
/** Where the status goes, or what is missing for that. */
function targetOf({ sha, token }, apiUrl, environment) {
    const [owner = '', repo = ''] = environment['GITHUB_REPOSITORY']?.split('/') ?? [];
    if (!owner || !repo)
        return { kind: 'no-repository' };
    if (sha === undefined) {
        return { kind: 'no-commit', event: environment['GITHUB_EVENT_NAME'] ?? 'of this workflow' };
    }
    if (token === undefined)
        return { kind: 'no-token' };
    const address = URL.parse(apiUrl);
    if (!address || !(0,addresses/* isSecure */.Ut)(address) || address.username || address.password) {
        return { kind: 'no-address' };
    }
    return { owner, repo, sha, token };
}
/** Undefined where the status was set. */
function problemOf(outcome, { aborted }, words) {
    switch (outcome.kind) {
        case 'late':
            return { kind: 'late', limit: aborted ? statusLimits.afterCancellation : statusLimits.inAll };
        case 'unreached':
            return { kind: 'unreached', why: words(outcome.why) };
        case 'answered': {
            const { status, limited } = outcome.answer;
            if (status === 201)
                return undefined;
            // What stands before GitHub answers 5xx with a web page.
            const said = status < 500 ? words(outcome.answer.words) : '';
            return { kind: limited ? 'limited' : 'refused', status, words: said };
        }
    }
}


/***/ })

};
;