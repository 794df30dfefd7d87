"use strict";
exports.id = 11;
exports.ids = [11];
exports.modules = {

/***/ 4011:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   junitReport: () => (/* binding */ junitReport)
/* harmony export */ });
/* harmony import */ var fast_xml_builder__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(9585);
/* harmony import */ var _text_untrusted_text_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3958);
/* harmony import */ var _log_end_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(5913);
/* harmony import */ var _shown_run_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(30);
/**
 * A batch as JUnit XML, one test case a run. The form is what the schemas of Jenkins' xUnit plugin and
 * of JUnit's own tests take: child elements in the order skipped, error, failure, system-out, and no
 * attributes on `skipped`.
 */




const longestLog = 8 * 1024;
/** Bytes of all logs' test cases. */
const longestLogs = 10 * 1024 * 1024;
const longestName = 200;
const kinds = {
    success: 'passed',
    error: 'failure',
    stopped: 'failure',
    'container-error': 'error',
    refused: 'error',
    'timed-out': 'error',
    cancelled: 'error',
    unknown: 'error',
    'not-started': 'skipped',
};
/** The parts of the file. The records are read twice: the counts stand before the test cases. */
async function* junitReport(facts, records, show) {
    const suite = (0,_text_untrusted_text_js__WEBPACK_IMPORTED_MODULE_0__/* .inline */ .mG)(show(facts.automation), longestName);
    const { head, tail } = frame(suite, facts, await countKinds(records()));
    yield `<?xml version="1.0" encoding="UTF-8"?>\n${head}\n`;
    let rest = longestLogs;
    for await (const record of records()) {
        const run = (0,_shown_run_js__WEBPACK_IMPORTED_MODULE_1__/* .showRun */ .X3)(record, show);
        const log = await logOf(record, rest, facts.folder, show);
        const withLog = log === '' ? undefined : testCase(suite, run, log);
        const size = Buffer.byteLength(withLog ?? '');
        const fits = withLog !== undefined && size <= rest;
        // Once one finds no room, no more are read: there may be thousands.
        rest = size <= rest ? rest - size : 0;
        yield `${fits ? withLog : testCase(suite, run)}\n`;
    }
    yield `${tail}\n`;
}
async function countKinds(records) {
    const counts = { passed: 0, failure: 0, error: 0, skipped: 0 };
    for await (const { conclusion } of records)
        counts[kinds[conclusion]] += 1;
    return counts;
}
/** What stands before and after the test cases. */
function frame(suite, { startedOn, duration }, { passed, failure, error, skipped }) {
    const tests = passed + failure + error + skipped;
    const totals = {
        '@_name': xmlText(suite),
        '@_tests': tests,
        '@_failures': failure,
        '@_errors': error,
        '@_time': seconds(duration),
    };
    const own = { '@_skipped': skipped, '@_timestamp': startedOn.toISOString().slice(0, 19) };
    const whole = xml({ testsuites: { ...totals, testsuite: { ...totals, ...own, '#text': '' } } });
    const end = whole.indexOf('</testsuite>');
    return { head: whole.slice(0, end), tail: whole.slice(end) };
}
function testCase(suite, run, log) {
    const duration = (0,_shown_run_js__WEBPACK_IMPORTED_MODULE_1__/* .durationOf */ .cf)(run);
    return xml({
        testcase: {
            '@_name': xmlText((0,_shown_run_js__WEBPACK_IMPORTED_MODULE_1__/* .nameRun */ .Lu)(run)),
            '@_classname': xmlText(suite),
            ...(duration === undefined ? {} : { '@_time': seconds(duration) }),
            ...problem(run),
            ...(log === undefined ? {} : { 'system-out': xmlText(log) }),
        },
    });
}
function problem(run) {
    const kind = kinds[run.conclusion];
    const words = xmlText((0,_shown_run_js__WEBPACK_IMPORTED_MODULE_1__/* .describeRun */ .vZ)(run));
    if (kind === 'passed')
        return {};
    if (kind === 'skipped')
        return { skipped: words };
    const message = run.cause === undefined ? words : xmlText(run.cause);
    return { [kind]: { '@_message': message, '@_type': run.conclusion, '#text': words } };
}
async function logOf({ conclusion, logFile }, rest, folder, show) {
    if (_shown_run_js__WEBPACK_IMPORTED_MODULE_1__/* .standings */ .ES[conclusion] === 'succeeded' || logFile === undefined || rest <= 0)
        return '';
    return (0,_log_end_js__WEBPACK_IMPORTED_MODULE_2__/* .readLogEnd */ .q)({ folder, file: logFile }, longestLog, show);
}
/** Of inert text, the two characters that XML 1.0 has no place for are left. */
function xmlText(text) {
    return text.replace(/[\ufffe\uffff]/g, '\ufffd');
}
/** Escapes `&`, `<`, `>` (so that no `]]>` is left) and quotes. */
function xml(content) {
    // An attribute that says "true" would lose its value.
    const options = { ignoreAttributes: false, suppressBooleanAttributes: false };
    return new fast_xml_builder__WEBPACK_IMPORTED_MODULE_3__/* ["default"] */ .A(options).build(content);
}
function seconds(span) {
    return (Math.max(0, span) / 1000).toFixed(3);
}


/***/ })

};
;