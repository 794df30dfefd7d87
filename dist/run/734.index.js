"use strict";
exports.id = 734;
exports.ids = [734];
exports.modules = {

/***/ 734:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  reportUnstarted: () => (/* binding */ reportUnstarted)
});

// EXTERNAL MODULE: ./src/errors.ts
var errors = __webpack_require__(916);
// EXTERNAL MODULE: ./src/messages/annotation.ts
var messages_annotation = __webpack_require__(643);
// EXTERNAL MODULE: ./src/clock.ts + 1 modules
var clock = __webpack_require__(529);
// EXTERNAL MODULE: ./src/service/errors.ts
var service_errors = __webpack_require__(756);
;// CONCATENATED MODULE: ./src/messages/advice.ts
/** What to do about a failed call, by what failed: the hint that goes with the service's words. */



function adviseOn(failure, route, { secrets }) {
    const isUnreached = failure instanceof service_errors/* NetworkError */.Dr && !failure.mayHaveArrived;
    const words = wordsOf(failure, secrets);
    return {
        why: asSentence(isUnreached ? `no connection to the service (${words})` : words),
        hint: hintFor(failure, route),
    };
}
/** The reason that the service gives is bounded alone: our own words before it stay whole. */
function wordsOf(failure, secrets) {
    if (!(failure instanceof service_errors/* HttpError */.j$))
        return secrets.words((0,errors/* messageOf */.bD)(failure));
    const words = secrets.words(failure.words);
    return `the service answered ${String(failure.status)}${words ? `: ${words}` : ''}`;
}
function asSentence(words) {
    const shown = words.replace(/[.:\s]+$/, '');
    return `${shown.charAt(0).toUpperCase()}${shown.slice(1)}.`;
}
function hintFor(failure, route) {
    const address = route === 'status' ? 'status-base-url (or base-url)' : 'base-url';
    if (failure instanceof service_errors/* NetworkError */.Dr && !failure.mayHaveArrived) {
        return `Check ${address}, and that the runner can reach it (name, port, certificate, proxy).`;
    }
    if (failure instanceof clock/* TimeUp */.Lr)
        return 'Raise the input timeout.';
    if (failure instanceof service_errors/* RedirectError */.Lx) {
        return `Check ${address}: it must be the service itself. Redirects are not followed, since the credentials would go along.`;
    }
    if (failure instanceof service_errors/* HttpError */.j$)
        return hintByStatus(failure.status, route, address);
    return `Check ${address}: this does not look like the Automation Hosting Service.`;
}
function hintByStatus(status, route, address) {
    switch (status) {
        case 400:
            return hintsFor400[route];
        case 401:
            return "Check api-token and api-key (Settings section of the service's dashboard) and authorization-scheme.";
        case 403:
            return hintsFor403[route];
        case 404:
            return `Check ${address}: the service does not know this route there.`;
        case 429:
            return 'The service limits requests. Run it again later, or start fewer runs at a time.';
        default:
            return status >= 500
                ? 'The service is in trouble. Run it again later.'
                : `Check the inputs, and that ${address} is the service's address.`;
    }
}
const hintsFor400 = {
    start: 'Check seed, webhook and webhook-headers: the service did not take them.',
    status: 'Check execution-id.',
    'create-project': 'Check region, docker-version and name against what the service offers.',
};
const hintsFor403 = {
    start: "Check project and automation, and that the token's account may use them.",
    status: 'Check that api-token belongs to the account that started the run.',
    'create-project': "Check that the token's account may create projects.",
};

// EXTERNAL MODULE: ./src/actions/summarising.ts + 9 modules
var summarising = __webpack_require__(264);
;// CONCATENATED MODULE: ./src/actions/unstarted.ts
/** What to say when a start did not clearly happen: there is no execution to follow. */




async function reportUnstarted({ start, delivery, summary }, step) {
    const isClear = delivery.kind === 'refused';
    const { annotation, facts } = isClear
        ? notStarted(start, delivery.failure, step)
        : maybeStarted(start, delivery.failure, step);
    step.log.verdict(annotation.title, false);
    if (summary)
        await (0,summarising/* addSummary */.S)(facts, step);
    return { kind: 'failed', annotation };
}
/** The service did not take the start: nothing runs, and no conclusion is due. */
function notStarted({ project, automation }, failure, step) {
    const title = `${automation} was not started`;
    const { why, hint } = step.cancelled.aborted ? cancelledBefore : adviseOn(failure, 'start', step);
    const annotation = (0,messages_annotation/* describeProblem */.BJ)({ title, message: `${why} Nothing was started.`, hint });
    return {
        annotation,
        facts: {
            conclusion: 'not-started',
            failed: true,
            automation,
            project,
            message: annotation.message,
        },
    };
}
const cancelledBefore = {
    why: 'The step was cancelled before.',
    hint: 'Run this job again when you want it to run.',
};
/** It may or may not have taken it: it is not sent again, and somebody has to look. */
function maybeStarted({ project, automation }, reason, { cancelled, secrets }) {
    const why = cancelled.aborted ? 'no answer had come yet' : secrets.words((0,errors/* messageOf */.bD)(reason));
    const failure = { kind: 'unknown-start', why, cancelled: cancelled.aborted };
    return {
        annotation: (0,messages_annotation/* describeFailure */.Ic)({ failure, automation }),
        facts: { conclusion: 'unknown', failed: true, automation, project, failure },
    };
}


/***/ })

};
;