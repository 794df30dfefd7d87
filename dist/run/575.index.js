"use strict";
exports.id = 575;
exports.ids = [575];
exports.modules = {

/***/ 4575:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

// ESM COMPAT FLAG
__webpack_require__.r(__webpack_exports__);

// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  reportExecution: () => (/* binding */ reportExecution)
});

// EXTERNAL MODULE: ./src/cut.ts
var cut = __webpack_require__(4395);
// EXTERNAL MODULE: ./src/messages/annotation.ts
var annotation = __webpack_require__(1643);
// EXTERNAL MODULE: ./src/messages/quantities.ts
var quantities = __webpack_require__(2107);
// EXTERNAL MODULE: ./src/messages/failure.ts
var messages_failure = __webpack_require__(5530);
// EXTERNAL MODULE: ./src/messages/retries.ts
var retries = __webpack_require__(9762);
// EXTERNAL MODULE: ./src/messages/text/shown-texts.ts + 1 modules
var shown_texts = __webpack_require__(3584);
// EXTERNAL MODULE: ./src/runner/step.ts + 20 modules
var runner_step = __webpack_require__(1589);
// EXTERNAL MODULE: ./src/runner/workspace.ts
var workspace = __webpack_require__(7683);
// EXTERNAL MODULE: ./src/errors.ts
var errors = __webpack_require__(3916);
// EXTERNAL MODULE: ./src/messages/advice.ts
var advice = __webpack_require__(3630);
;// CONCATENATED MODULE: ./src/actions/failure.ts
/** Whether and how a step fails: decided by what became of the execution, `fail-on` and the rules. */


/**
 * Undefined where the step passes. What was asked for and could not be written fails a step that
 * would pass otherwise: the next one counts on it.
 */
function failureOf(report, published, waiting, step) {
    return failureByEnd(report, waiting, step) ?? lostCopy(published) ?? lostOutputs(step);
}
function failureByEnd(report, { failOn, timeout }, step) {
    const { conclusion, ending } = report;
    switch (conclusion) {
        case 'success':
            return lostResult(report);
        case 'error':
        case 'container-error':
        case 'stopped':
            return failOn.has(conclusion) ? { kind: conclusion } : undefined;
        case 'timed-out':
            return failOn.has(conclusion) ? timedOut(report, timeout) : undefined;
        case 'cancelled':
            return cancelled(report);
        case 'unknown':
        case 'not-started':
            return withoutEnd(ending, step);
    }
}
function cancelled({ ending, notRetried }) {
    const retrying = notRetried?.kind === 'cancelled';
    return { kind: 'cancelled', ended: ending.kind === 'finished', retrying };
}
/** What a run that was not seen to end is told as, whether it fails the step or not. */
function timedOut({ checks, ending }, timeout) {
    const { failure, failedChecks } = ending.kind === 'timed-out' ? ending : { failure: undefined, failedChecks: 0 };
    return { kind: 'timed-out', timeout, checks, failedChecks, lastFailure: failure?.message };
}
/** The next step counts on the result of a run that succeeded. */
function lostResult({ files }) {
    const result = files?.result;
    return result?.kind === 'unavailable'
        ? { kind: 'result-not-fetched', why: result.why }
        : undefined;
}
function lostCopy(published) {
    const [copy] = published?.lostCopies ?? [];
    return copy && { kind: 'copy-not-written', input: copy.input, why: copy.why };
}
function lostOutputs({ outputs: { problem } }) {
    return problem && { kind: 'outputs-not-written', why: problem.why };
}
/** Of a start that did not clearly happen, and of an execution that can't be watched. */
function withoutEnd(ending, step) {
    switch (ending.kind) {
        case 'not-started':
            return failureOfStart({ kind: 'refused', failure: ending.failure }, step);
        case 'unknown-start':
            return failureOfStart({ kind: 'unknown', failure: ending.failure }, step);
        case 'refused':
            return refusedAs('credentials-refused', ending);
        case 'rejected':
            return refusedAs('checks-refused', ending);
        case 'not-found':
            return { kind: 'not-found', words: ending.failure.words };
        case 'finished':
        case 'timed-out':
        case 'cancelled':
            return { kind: 'not-found', words: '' };
    }
}
/** How a start failed: not taken by the service, or nobody knows. */
function failureOfStart({ kind, failure }, step) {
    const cancelled = step.cancelled.aborted;
    if (kind === 'unknown') {
        const why = cancelled ? 'no answer had come yet' : (0,errors/* messageOf */.bD)(failure);
        return { kind: 'unknown-start', why, cancelled };
    }
    const { why, hint } = cancelled ? advice/* cancelledBefore */.b : (0,advice/* adviseOn */.m)(failure, 'start', step);
    return { kind: 'not-started', why, hint };
}
function refusedAs(kind, { failure: { status, words } }) {
    return { kind, status, words };
}

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
var external_node_path_default = /*#__PURE__*/__webpack_require__.n(external_node_path_);
// EXTERNAL MODULE: ./src/download/download.ts + 5 modules
var download = __webpack_require__(4774);
// EXTERNAL MODULE: ./src/download/file-text.ts
var file_text = __webpack_require__(8386);
// EXTERNAL MODULE: ./src/messages/file-problem.ts
var file_problem = __webpack_require__(3854);
;// CONCATENATED MODULE: ./src/actions/copies.ts


/** Only a success replaces what `resultFile` holds: it may be the last good result. */
async function copyFiles({ resultFile, logFile }, { conclusion }, { result, log }, step) {
    const succeeded = conclusion === 'success';
    if (resultFile !== undefined && !succeeded) {
        step.log.info(`result-file: ${resultFile} is left as it is, since the run did not succeed`);
    }
    const lost = [
        await copyTo(succeeded ? resultFile : undefined, result, 'result-file', step),
        await copyTo(logFile, log, 'log-file', step),
    ].filter((copy) => copy !== undefined);
    // Of a run that succeeded, the annotation tells it: the step fails.
    if (!succeeded) {
        for (const { input, why } of lost)
            step.log.note('copy-not-written', { input, why });
    }
    return lost;
}
async function copyTo(target, file, input, step) {
    if (target === undefined)
        return undefined;
    if (file.kind !== 'file') {
        step.log.note('nothing-to-copy', { input, target });
        return undefined;
    }
    try {
        await (0,workspace/* copyIntoWorkspace */.$i)(file.path, target, step);
        step.log.info(`Copied to ${target} (${input})`);
        return undefined;
    }
    catch (error) {
        return { input, why: `${target}: ${(0,file_problem/* describeFileProblem */.R)(error)}` };
    }
}

// EXTERNAL MODULE: ./src/messages/text/untrusted-text.ts
var untrusted_text = __webpack_require__(3958);
// EXTERNAL MODULE: ./src/version.ts
var version = __webpack_require__(311);
;// CONCATENATED MODULE: ./src/actions/tell-files.ts



function tellFiles(report, files, step) {
    const { result, log } = files;
    if (result.kind === 'file')
        step.log.info(`Result: ${result.path} (${(0,quantities/* describeSize */.jt)(result.size)})`);
    if (log.kind === 'file')
        step.log.info(`Log: ${log.path} (${(0,quantities/* describeSize */.jt)(log.size)})`);
    tellOfEncoding('result', result, step);
    tellOfEncoding('log', log, step);
    tellWhatIsNotKept(report, files, step);
    // Of a run that succeeded, the annotation tells it: the step fails.
    if (result.kind === 'unavailable' && report.conclusion !== 'success') {
        step.log.note('result-not-fetched', { why: result.why, wait: version/* waitAction */.Or });
    }
    if (log.kind === 'unavailable') {
        step.log.note('log-not-fetched', { why: log.why, wait: version/* waitAction */.Or });
    }
}
function tellOfEncoding(what, file, step) {
    if (file.kind !== 'file' || file.unknownEncoding === undefined)
        return;
    const encoding = (0,untrusted_text/* inline */.mG)(file.unknownEncoding, 100);
    step.log.note('unknown-encoding', { what, encoding });
}
function tellWhatIsNotKept({ conclusion, ending }, { result, log }, step) {
    // A run that failed and left a log may have had no result to keep.
    const isResultExpected = conclusion === 'success' || log.kind === 'not-kept';
    const missing = [
        ...(result.kind === 'not-kept' && isResultExpected ? ['result'] : []),
        ...(log.kind === 'not-kept' ? ['log'] : []),
    ];
    if (missing.length === 0)
        return;
    const what = missing.join(' and ');
    if (ending.status?.finished)
        step.log.note('not-kept', { what });
    else
        step.log.note('not-finished', { what, wait: version/* waitAction */.Or });
}

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
;// CONCATENATED MODULE: ./src/runner/artifact/name.ts
/** Names of artifacts ("Upload artifact": the characters that the artifact service refuses). */
const refused = /["<>|*?:\r\n\\/\p{Cc}]/gu;
// The service's own limit is 260; the rest of the room is the runner's.
const longest = 220;
/** The name given, or `<automation>-<execution id>` with refused characters replaced by `-`. */
function artifactNameFor(given, automation, executionId) {
    if (given !== undefined)
        return given;
    // The id tells artifacts apart, so the automation's name is what is cut. An id has at most 200
    // characters ("Start response", as the contract reads it).
    const id = `-${executionId}`.replace(refused, '-');
    const room = Math.max(0, longest - id.length);
    return `${automation.replace(refused, '-').slice(0, room)}${id}`.toWellFormed();
}

// EXTERNAL MODULE: ./src/runner/artifact/publish-artifact.ts
var publish_artifact = __webpack_require__(8233);
// EXTERNAL MODULE: ./src/runner/workflow-run.ts
var workflow_run = __webpack_require__(3093);
// EXTERNAL MODULE: ./src/messages/execution-record.ts
var execution_record = __webpack_require__(4678);
;// CONCATENATED MODULE: ./src/actions/upload-artifact.ts
/** One artifact of all that a run left. What goes wrong with it changes no verdict. */








/** Never rejects. Prints nothing: {@link tellOfArtifact} does. */
async function uploadArtifact(report, files, publishing, uploader, step) {
    return uploadFolder(report, files, publishing, uploader, step).catch((error) => ({ kind: 'failed', why: (0,file_problem/* describeFileProblem */.R)(error) }));
}
async function uploadFolder(report, { folder, result, log }, { artifactName, retentionDays }, uploader, { environment, secrets }) {
    if (folder === undefined)
        throw new Error('there is no folder to put it together in');
    const recordFile = external_node_path_default().join(folder, 'execution.json');
    const show = (text) => secrets.show(text);
    await (0,promises_.writeFile)(recordFile, (0,execution_record/* executionRecord */.k)(report, (0,workflow_run/* workflowRunOf */.ol)(environment), show));
    const { executionId = '', automation = 'automation' } = report;
    const name = artifactNameFor(artifactName, automation, executionId);
    const files = [(0,download/* pathOf */.XM)(result), (0,download/* pathOf */.XM)(log), recordFile].filter((file) => file !== '');
    return (0,publish_artifact/* publishArtifact */.q)({ name, files, folder, retentionDays }, uploader, environment);
}
/** Says in log and outputs what became of an artifact. */
function tellOfArtifact(artifact, folder, { outputs, log }) {
    if (artifact.kind === 'uploaded') {
        const { name, id, url, digest } = artifact;
        outputs.set('artifact-name', name);
        outputs.set('artifact-id', id);
        outputs.set('artifact-url', url);
        outputs.set('artifact-digest', digest);
        log.info(`Artifact ${name}: ${url}`);
        return;
    }
    for (const name of ['name', 'id', 'url', 'digest'])
        outputs.set(`artifact-${name}`, '');
    const rest = folder === undefined ? '' : ` The files are in ${folder}.`;
    log.note(`artifact-${artifact.kind}`, { why: artifact.why, rest });
}

;// CONCATENATED MODULE: ./src/actions/publish.ts
/** Hands on what a run left: texts as outputs, copies in the workspace, all files as one artifact. */








// A job may carry 1 MB of outputs, which GitHub counts as UTF-16: these two stay under 0.7 MB.
const longestResultOutput = 256 * 1024;
const longestLogOutput = 64 * 1024;
/** More of a log than this nobody reads in a step's log; the file is whole. */
const longestLogShown = 1024 * 1024;
/** Characters; longer than any secret. */
const longestLead = 4096;
async function publish(report, files, publishing, uploader, step) {
    const { outputs, log } = step;
    tellFiles(report, files, step);
    const lostCopies = await copyFiles(publishing, report, files, step);
    log.title('Publish');
    outputs.set('result-file', (0,download/* pathOf */.XM)(files.result));
    outputs.set('log-file', (0,download/* pathOf */.XM)(files.log));
    // The texts are read and told while the files are on their way.
    const [texts, artifact] = await Promise.all([
        publishTexts(files, step),
        publishing.uploadArtifact
            ? uploadArtifact(report, files, publishing, uploader, step)
            : undefined,
    ]);
    if (artifact)
        tellOfArtifact(artifact, files.folder, step);
    return { ...texts, artifact, lostCopies };
}
async function publishTexts({ result, log }, step) {
    const shown = await publishResult(result, step);
    const logTail = await readLogTail(log, step);
    step.outputs.set('log', (0,cut/* lastLines */.w$)(logTail, longestLogOutput));
    return { result: shown, logTail };
}
async function publishResult(file, { outputs, log }) {
    if (file.kind !== 'file') {
        outputs.set('result', '');
        return undefined;
    }
    const head = await (0,file_text/* readHead */.zy)(file.path, longestResultOutput);
    const text = (0,file_text/* textOf */.b6)(head);
    const fits = text !== undefined && head.complete;
    outputs.set('result', fits ? text : '');
    if (!fits) {
        const why = head.complete ? 'is not text' : `has ${head.size} bytes, more than 256 KiB`;
        log.info(`The result ${why}, so the output result stays empty: use result-file`);
    }
    const { size, complete } = head;
    return { name: external_node_path_default().basename(file.path), mediaType: file.mediaType, size, text, complete };
}
async function readLogTail(file, { secrets }) {
    if (file.kind !== 'file')
        return '';
    const tail = await (0,file_text/* readLastLines */.aG)(file.path, longestLogShown);
    const shown = (0,shown_texts/* showLog */.cS)(tail, secrets);
    const isCut = file.size > longestLogShown && !tail.slice(0, -1).includes('\n');
    // A line that alone is longer: of a secret across the cut, half would be left at its beginning.
    return isCut ? shown.slice((0,shown_texts/* showLog */.cS)(tail.slice(0, longestLead), secrets, true).length) : shown;
}

;// CONCATENATED MODULE: ./src/messages/summary/html.ts
/**
 * HTML for a job summary. GitHub reads it as Markdown first: an HTML block ends at the first blank
 * line, and what follows would be untrusted Markdown. So every block here is made of
 * complete tags, holds no blank line, and is joined to the next by one ({@link joinBlocks}).
 */


const entities = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
};
const longestPreformattedLine = 1_000;
const longestAddress = 1_000;
/** Texts from outside as parts of a page: first what may be seen of them, then cut, then escaped. */
class Page {
    show;
    constructor(show) {
        this.show = show;
    }
    /**
     * Text for a cell or a paragraph, cut at `limit` characters. `$`, `@` and `#` stand alone: GitHub
     * would make formulas, mentions and references of them, in HTML too.
     */
    prose(text, limit) {
        return (0,untrusted_text/* lines */.Mn)((0,cut/* cut */.Jj)(this.show(text), limit))
            .map((line) => escapeLine(line).replace(/[$@]|(?<!&)#/g, '<span>$&</span>'))
            .join('<br>');
    }
    /** Lines for a `<pre>`, escaped; each is cut where it would only make the page wide. */
    preformatted(text, isCut = false) {
        // A blank line would end the HTML block, even inside of <pre>.
        return (0,untrusted_text/* lines */.Mn)(this.show(text, isCut)).map((line) => line.trim() === '' ? '&#32;' : escapeLine((0,cut/* cut */.Jj)(line, longestPreformattedLine)));
    }
    /** A link, where the address is one that a browser may follow; else its text alone. */
    link(address, html) {
        const url = URL.parse((0,cut/* cut */.Jj)(this.show(address), longestAddress));
        const safe = url?.protocol === 'https:' || url?.protocol === 'http:';
        return safe ? `<a href="${escapeLine(url.href)}">${html}</a>` : html;
    }
}
function preformatted(escapedLines) {
    return `<pre>${escapedLines.join('\n')}</pre>`;
}
function folded(title, block) {
    return `<details><summary>${title}</summary>\n${block}\n</details>`;
}
/** As many of the texts, from the first, as fit into `limit` bytes of UTF-8. */
function takeWithin(texts, limit) {
    let rest = limit;
    const end = texts.findIndex((text) => (rest -= Buffer.byteLength(text) + 1) < 0);
    return end === -1 ? [...texts] : texts.slice(0, end);
}
function joinBlocks(blocks) {
    return blocks.map((block) => `${block}\n\n`).join('');
}
function escapeLine(line) {
    return line.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

;// CONCATENATED MODULE: ./src/messages/summary/json.ts
/** `12345678901234567890` and `1.0` as they were written; JavaScript's numbers would alter them. */
class NumberText {
    source;
    constructor(source) {
        this.source = source;
    }
}
const parse = JSON.parse;
const { rawJSON } = JSON;
const deepestIndented = 20;
/**
 * Undefined where the text is no JSON, or nested too deep to be read. Its texts and keys are what
 * `show` leaves of them: escapes that hid a secret in the JSON text are gone by then.
 */
function parseJson(text, show) {
    try {
        return parse(text.replace(/^\ufeff/, ''), (_key, value, { source }) => {
            if (typeof value === 'number')
                return new NumberText(source ?? String(value));
            if (typeof value === 'string')
                return show(value);
            return isObject(value) ? withShownKeys(value, show) : value;
        });
    }
    catch {
        return undefined;
    }
}
function withShownKeys(object, show) {
    const keys = Object.keys(object);
    if (keys.every((key) => show(key) === key))
        return object;
    return Object.fromEntries(Object.entries(object).map(([key, value]) => [show(key), value]));
}
function isNumber(value) {
    return value instanceof NumberText;
}
function isObject(value) {
    return typeof value === 'object' && value !== null && !Array.isArray(value) && !isNumber(value);
}
function isFlat(value) {
    return typeof value !== 'object' || value === null || isNumber(value);
}
/** Whether it is a list with at least one row, and every row an object of plain values. */
function isRows(value) {
    return (Array.isArray(value) &&
        value.length > 0 &&
        value.every((row) => isObject(row) && Object.values(row).every(isFlat)));
}
function textOf(value) {
    return isNumber(value) ? value.source : String(value);
}
/** On one line, or indented where it is not nested too deep for that. */
function printJson(value, indented) {
    const raw = (_key, part) => part instanceof NumberText ? rawJSON(part.source) : part;
    return JSON.stringify(value, raw, indented && depth(value) <= deepestIndented ? 2 : undefined);
}
function depth(value) {
    let level = [value];
    let deep = 0;
    for (; level.length > 0 && deep <= deepestIndented; deep += 1)
        level = level.flatMap(children);
    return deep;
}
function children(value) {
    return isFlat(value) ? [] : Object.values(value);
}

;// CONCATENATED MODULE: ./src/messages/summary/table.ts
/** Rows of values as an HTML table, bounded in rows, columns, characters and bytes. */


const mostRows = 50;
const mostColumns = 12;
const longestCell = 200;
const longestHeading = 40;
/** One row per object, one column per key of the rows shown. `limit`: bytes. */
function tableOfRows(objects, limit, page) {
    const shown = objects.slice(0, mostRows).map((object) => new Map(Object.entries(object)));
    const keys = [...new Set(shown.flatMap((row) => [...row.keys()]))];
    const columns = keys.slice(0, mostColumns);
    const headings = columns.map((key) => `<th>${page.prose(key, longestHeading)}</th>`).join('');
    const rows = shown.map((row) => `<tr>${columns.map((key) => cell(row.get(key), page)).join('')}</tr>`);
    const fitting = takeWithin([`<tr>${headings}</tr>`, ...rows], limit);
    const leftOut = [
        count(objects.length - fitting.length + 1, 'more row'),
        count(keys.length - columns.length, 'more column'),
    ];
    return {
        html: assemble(fitting),
        leftOut: leftOut.filter(Boolean).join(' and '),
    };
}
/** One row per pair. `limit`: bytes. */
function tableOfPairs(pairs, limit, page) {
    const rows = pairs
        .slice(0, mostRows)
        .map(([key, value]) => `<tr>${keyCell(key, page)}${cell(value, page)}</tr>`);
    const fitting = takeWithin(rows, limit);
    return { html: assemble(fitting), leftOut: count(pairs.length - fitting.length, 'more entry') };
}
function keyCell(key, page) {
    return `<th align="left">${page.prose(key, longestHeading)}</th>`;
}
function assemble(rows) {
    return `<table>\n${rows.join('\n')}\n</table>`;
}
function cell(value, page) {
    const text = value === undefined ? '' : page.prose(textOf(value), longestCell);
    return isNumber(value) ? `<td align="right">${text}</td>` : `<td dir="auto">${text}</td>`;
}
function count(amount, noun) {
    if (amount === 0)
        return '';
    return `${amount} ${amount === 1 ? noun : noun.replace(/y$/, 'ie').concat('s')}`;
}

;// CONCATENATED MODULE: ./src/messages/summary/attempts.ts
/** The executions of a step that started more than one, as a table. */



const longestId = 200;
const longestCause = 300;
const headings = ['#', 'Execution', 'Ended', 'After', 'Why'];
/** Nothing where there was one execution, which the facts tell of. */
function renderAttempts({ attempts, executionId }, page) {
    if (attempts.every((attempt) => attempt.executionId === executionId))
        return [];
    const heading = headings.map((text) => `<th>${page.prose(text, longestId)}</th>`).join('');
    const rows = attempts.map((attempt, index) => row(attempt, index + 1, page));
    return [assemble([`<tr>${heading}</tr>`, ...rows])];
}
function row({ executionId, conclusion, cause, startedOn, finishedOn }, number, page) {
    const elapsed = (0,quantities/* describeElapsed */.gN)(finishedOn.getTime() - startedOn.getTime());
    const why = page.prose((0,retries/* causeWords */.pQ)(cause, page.show), longestCause);
    const id = `<code>${page.prose(executionId, longestId)}</code>`;
    return `<tr><td align="right">${number}</td><td>${id}</td><td>${conclusion}</td><td>${elapsed}</td><td>${why}</td></tr>`;
}

;// CONCATENATED MODULE: ./src/messages/summary/fact-table.ts


const longestFact = 200;
/** The small table of a summary: only what is known. */
function renderFacts(report, { artifact, runUrl }, page) {
    const { automation, project, executionId, webhookGiven } = report;
    // Without an id there is no run of which any of these could be told.
    const isKnown = executionId !== undefined;
    const duration = isKnown ? report.duration : undefined;
    const checks = isKnown ? report.checks : undefined;
    const rows = [
        ['Automation', code(automation, page)],
        ['Project', code(project, page)],
        ['Execution', code(executionId, page)],
        ['Duration', duration === undefined ? undefined : (0,quantities/* describeElapsed */.gN)(duration)],
        ['Checks made', checks === undefined ? undefined : String(checks)],
        ['Artifact', artifact && page.link(artifact.url, page.prose(artifact.name, longestFact))],
        ['Workflow run', !isKnown || runUrl === undefined ? undefined : page.link(runUrl, 'this run')],
        ['Webhook', isKnown ? webhookWords(webhookGiven) : undefined],
    ];
    return assemble(rows
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => `<tr>${keyCell(name, page)}<td>${value ?? ''}</td></tr>`));
}
function webhookWords(given) {
    if (given === undefined)
        return undefined;
    return given ? 'given by this step' : 'not given: the default of the automation applies';
}
function code(text, page) {
    return text === undefined ? undefined : `<code>${page.prose(text, longestFact)}</code>`;
}

;// CONCATENATED MODULE: ./src/messages/summary/chart.ts
/** A small series of numbers as a Mermaid chart, which GitHub draws. */


const fewestPoints = 3;
const mostPoints = 30;
const longestLabel = 20;
/**
 * A chart, where one says more than the numbers: 3 to 30 of them, not all alike, that are the only
 * numeric column beside one column of labels, or the values of one object, or a list. None where a
 * part of it may not be shown.
 */
function chartOf(value, show) {
    const series = findSeries(value);
    if (!series || series.points.length < fewestPoints || series.points.length > mostPoints)
        return;
    const numbers = series.points.map((point) => plainNumber(point.number));
    if (numbers.includes(undefined) || new Set(numbers).size === 1)
        return;
    const names = [series.name, ...series.points.map(({ label }) => label)].map(plainText);
    // Redact before truncating: a truncated secret no longer matches.
    if ([...names, ...numbers.map(String)].some((text) => show(text) !== text))
        return;
    const [name = '', ...labels] = names.map((text) => (0,cut/* cut */.Jj)(text, longestLabel));
    const axis = labels.map((label, index) => `"${label || index + 1}"`);
    return [
        '```mermaid',
        'xychart-beta',
        `    x-axis [${axis.join(', ')}]`,
        ...(name ? [`    y-axis "${name}"`] : []),
        `    bar [${numbers.join(', ')}]`,
        '```',
    ].join('\n');
}
function findSeries(value) {
    if (isRows(value))
        return seriesOfRows(value);
    const pairs = Array.isArray(value) || isObject(value) ? Object.entries(value) : [];
    const first = Array.isArray(value) ? 1 : undefined;
    const points = [];
    for (const [index, [key, number]] of pairs.entries()) {
        if (!isNumber(number))
            return undefined;
        points.push({ label: first === undefined ? key : String(index + first), number: number.source });
    }
    return { name: '', points };
}
function seriesOfRows(rows) {
    const columns = Object.keys(rows[0] ?? {});
    const numeric = columns.filter((column) => rows.every((row) => isNumber(row[column])));
    const [name] = numeric;
    const [label] = columns.filter((column) => column !== name);
    if (columns.length !== 2 || numeric.length !== 1 || name === undefined || label === undefined)
        return;
    const points = rows.map((row) => ({ label: flatText(row[label]), number: flatText(row[name]) }));
    return { name, points };
}
function flatText(value) {
    return value === undefined ? '' : textOf(value);
}
/** Mermaid reads neither exponents nor more digits than a double has. */
function plainNumber(source) {
    const text = String(Number(source));
    return /^-?\d+(?:\.\d+)?$/.test(text) ? text : undefined;
}
/** Letters, digits and what dates and names are made of: nothing that Mermaid could read as its own. */
function plainText(text) {
    return text.replace(/[^\p{L}\p{M}\p{N} ._:/+-]+/gu, ' ').trim();
}

;// CONCATENATED MODULE: ./src/messages/summary/cut-list.ts
/**
 * The complete elements of a JSON list whose text was cut, as a list; undefined for any other text.
 * A result too large to be read whole still shows its first rows that way. One pass over the text:
 * a regular expression would go back at each quote when the cut lies inside of a string.
 */
function closeCutList(text) {
    if (!/^\s*\[/.test(text))
        return undefined;
    let depth = 0;
    let end = -1;
    for (let at = 0; at < text.length; at++) {
        const character = text[at];
        if (character === '"')
            at = endOfString(text, at);
        else if (character === '[' || character === '{')
            depth += 1;
        else if (character === ']' || character === '}')
            depth -= 1;
        else if (character === ',' && depth === 1)
            end = at;
    }
    return end === -1 ? undefined : `${text.slice(0, end)}]`;
}
/** Where the closing quote is; the text's end where there is none. */
function endOfString(text, start) {
    for (let at = start + 1; at < text.length; at++) {
        if (text[at] === '\\')
            at += 1;
        else if (text[at] === '"')
            return at;
    }
    return text.length;
}

;// CONCATENATED MODULE: ./src/messages/summary/result.ts
/** The result of a run as people like to read it. */






// Bytes of HTML. Together with the other parts well under the 200 KiB of a whole summary.
const longestTable = 50 * 1024;
const longestPairs = 30 * 1024;
const longestText = 40 * 1024;
const longestInnerTable = 12 * 1024;
const mostInnerTables = 3;
const longestUnfolded = 30;
const longestName = 100;
/** The blocks to show: a line that names the result, then what it holds. */
function renderResult(result, page) {
    if (result.text === undefined || /^image\//i.test(result.mediaType)) {
        return [nameResult(result, page)];
    }
    const value = isJson(result) ? readValue(result, result.text, page) : undefined;
    return value === undefined
        ? renderText(result, result.text, page)
        : renderJson(result, value, page);
}
/** Of a result that was cut, only a list of rows can still be read: its first ones. */
function readValue({ complete }, text, { show }) {
    if (complete)
        return parseJson(text, show);
    const rows = parseJson(closeCutList(text) ?? '', show);
    return rows !== undefined && isRows(rows) ? rows : undefined;
}
function renderJson(result, value, page) {
    if (isRows(value))
        return renderRows(result, value, page);
    const chart = chartOf(value, page.show) ?? [];
    if (isObject(value) && Object.keys(value).length > 0) {
        return [nameResult(result, page), chart, ...renderObject(value, page)].flat();
    }
    if (isFlat(value))
        return renderText(result, textOf(value), page);
    const { block } = shownText(printJson(value, true), page);
    return [nameResult(result, page), chart, folded('The result as JSON', block)].flat();
}
function renderRows(result, rows, page) {
    const { html, leftOut } = tableOfRows(rows, longestTable, page);
    if (!result.complete) {
        const named = nameResult(result, page, 'too large to be shown whole');
        return [named, html, '<p>… and more rows.</p>'];
    }
    const counted = `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}`;
    const chart = chartOf(rows, page.show) ?? [];
    return [nameResult(result, page, counted), chart, withRest({ html, leftOut })].flat();
}
/** Pairs of key and value; a value that is itself a list of rows gets a table of its own. */
function renderObject(value, page) {
    const entries = Object.entries(value);
    const inner = entries.filter(([, part]) => isRows(part)).slice(0, mostInnerTables);
    const pairs = entries
        .filter((entry) => !inner.includes(entry))
        .map(([key, part]) => [key, isFlat(part) ? part : printJson(part, false)]);
    const tables = inner.flatMap(([key, part]) => isRows(part)
        ? [`<p><strong>${page.prose(key, longestName)}</strong></p>`].concat(withRest(tableOfRows(part, longestInnerTable, page)))
        : []);
    return [...(pairs.length > 0 ? withRest(tableOfPairs(pairs, longestPairs, page)) : []), ...tables];
}
function renderText(result, text, page) {
    if (text.trim() === '')
        return [nameResult(result, page, 'empty')];
    const { block, lineCount, isWhole } = shownText(text, page, !result.complete);
    const note = isWhole && result.complete ? undefined : 'its beginning is shown';
    return [
        nameResult(result, page, note),
        lineCount > longestUnfolded ? folded('The result', block) : block,
    ];
}
function shownText(text, page, isCut = false) {
    const all = page.preformatted(text.trimEnd(), isCut);
    const shown = takeWithin(all, longestText);
    // A line that is too long ends like a text that is.
    const cutAnywhere = shown.length < all.length || all.some((line) => line.endsWith('…'));
    return { block: preformatted(shown), lineCount: shown.length, isWhole: !cutAnywhere };
}
function withRest({ html, leftOut }) {
    return leftOut ? [html, `<p>… and ${leftOut}.</p>`] : [html];
}
/** The line that names the result, for where it is not shown. */
function nameResult({ name, mediaType, size }, page, note) {
    const facts = [page.prose(mediaType, longestName), (0,quantities/* describeSize */.jt)(size), note];
    const told = facts.filter((fact) => fact !== undefined && fact !== '').join(', ');
    return `<p><strong>Result</strong>: <code>${page.prose(name, longestName)}</code> (${told})</p>`;
}
function isJson({ mediaType, name }) {
    return /^[^;]*[/+]json\s*(?:;|$)/i.test(mediaType) || /\.json$/i.test(name);
}

;// CONCATENATED MODULE: ./src/messages/summary/render.ts
/** The job summary: what a person sees on the page of the workflow run. */







const mostLogLines = 40;
const longestLog = 32 * 1024;
// Enough for 40 long lines: it bounds the work.
const mostLogCharacters = 100_000;
const longestSentence = 600;
const mostSentences = 6;
const render_longestName = 100;
/**
 * The summary of one step: HTML blocks that GitHub shows as they are, at most 200 KiB. It starts
 * with a heading and ends with a blank line, so that several steps of one job read well one after
 * the other. `show` says what may be seen of a text, before it is put into words, cut or escaped; of
 * the result it does so once that has been parsed.
 */
function renderSummary(report, parts, show) {
    const page = new Page(show);
    const failure = parts.failure && (0,shown_texts/* showTexts */.K_)(parts.failure, show);
    return joinBlocks([
        `<h3>${heading(report, failure, page)}</h3>`,
        ...renderFailure(report, { ...parts, failure }, page),
        ...renderAttempts(report, page),
        renderFacts(report, parts, page),
        ...(parts.result ? renderWhatItReturned(report, parts.result, page) : []),
        ...renderLog(report, parts, page),
    ]);
}
function heading({ conclusion, automation, executionId }, failure, page) {
    const execution = executionId === undefined ? 'The automation' : `Execution ${page.show(executionId)}`;
    const name = page.prose(automation ?? execution, render_longestName);
    const [sign, words] = verdicts[conclusion];
    if (failure)
        return `${conclusion === 'success' ? '❌' : sign} ${(0,messages_failure/* titleOf */.Gg)(failure, name)}`;
    if (conclusion === 'success')
        return `${sign} ${name} ${words}`;
    return `⚠️ ${name} ${words} (allowed by fail-on)`;
}
const verdicts = {
    success: ['✅', 'succeeded'],
    error: ['❌', 'failed'],
    'container-error': ['❌', 'died'],
    stopped: ['🛑', 'was stopped'],
    'timed-out': ['⏱️', 'timed out'],
    cancelled: ['🚫', 'is no longer watched: the step was cancelled'],
    unknown: ['❓', 'has an unknown outcome'],
    'not-started': ['❌', 'was not started'],
};
/** The first line tells why. */
function renderFailure(report, parts, page) {
    const sentences = failureLines(report, parts, page).slice(0, mostSentences);
    const [why, ...more] = sentences.map((line) => page.prose(line, longestSentence));
    if (why === undefined)
        return [];
    return [`<p>${[`<strong>${why}</strong>`, ...more].join('<br>')}</p>`];
}
/** What happened and what to do; the rest of an annotation is in the table of facts. */
function failureLines(report, { failure, remainder, attemptsLine }, page) {
    const cause = report.cause && (0,shown_texts/* showTexts */.K_)(report.cause, page.show);
    const attempts = attemptsLine === undefined ? [] : [attemptsLine];
    if (!failure)
        return [...(cause ? [(0,annotation/* causeLine */.mB)(cause)] : []), ...attempts, ...(remainder ?? [])];
    const executionId = report.executionId && page.show(report.executionId);
    return [...(0,annotation/* whyLines */.cn)(failure, cause), ...attempts, `Next: ${(0,messages_failure/* hintFor */.JR)(failure, executionId)}`];
}
function renderWhatItReturned({ conclusion }, result, page) {
    return conclusion === 'success' ? renderResult(result, page) : [nameResult(result, page)];
}
function renderLog({ conclusion }, { log }, page) {
    if (conclusion === 'success' || !log?.trim())
        return [];
    const all = page.preformatted(log.trimEnd().slice(-mostLogCharacters));
    // From the last line backwards: where it is too much, the oldest lines go.
    const shown = takeWithin(all.slice(-mostLogLines).toReversed(), longestLog).toReversed();
    const title = all.length < mostLogLines ? 'The log' : `The log's last ${shown.length} lines`;
    return [`<p><strong>${title}</strong></p>\n${preformatted(shown)}`];
}

;// CONCATENATED MODULE: ./src/messages/summary/write.ts
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


// Opening a pipe that nobody reads would hold the step for ever without O_NONBLOCK, which Windows
// leaves undefined.
const { O_APPEND, O_CREAT, O_NONBLOCK, O_WRONLY } = promises_.constants;
const appending = O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK;
/**
 * Adds to the step's summary file (`GITHUB_STEP_SUMMARY`). Never throws: a summary changes no
 * verdict. Returns the problem, or undefined when it was written.
 */
async function writeSummary(markdown, file) {
    if (!file)
        return 'this runner offers no job summary (GITHUB_STEP_SUMMARY is not set)';
    try {
        const env_1 = { stack: [], error: void 0, hasError: false };
        try {
            const opened = __addDisposableResource(env_1, await (0,promises_.open)(file, appending), true);
            await opened.writeFile(markdown, 'utf8');
            return undefined;
        }
        catch (e_1) {
            env_1.error = e_1;
            env_1.hasError = true;
        }
        finally {
            const result_1 = __disposeResources(env_1);
            if (result_1)
                await result_1;
        }
    }
    catch (error) {
        return `the runner's file for it (GITHUB_STEP_SUMMARY) cannot be written: ${(0,file_problem/* describeFileProblem */.R)(error)}`;
    }
}

;// CONCATENATED MODULE: ./src/actions/summarise.ts
/** The job summary: added to the page of the workflow run, and kept as a file to post elsewhere. */








/** What goes wrong with it is a warning: it changes no verdict. */
async function summarise(report, published, { failure, remainder, publishing: { printResult, summary } }, step) {
    const { environment, secrets } = step;
    const { artifact, logTail, result } = published ?? {};
    const parts = {
        failure,
        remainder,
        attemptsLine: (0,retries/* describeAttempts */.U_)(report, { secrets }),
        artifact: artifact?.kind === 'uploaded' ? artifact : undefined,
        runUrl: (0,workflow_run/* workflowRunOf */.ol)(environment).url,
        log: logTail,
        result: result && (printResult ? result : { ...result, text: undefined }),
    };
    const text = renderSummary(report, parts, (part, isCut) => secrets.show(part, isCut));
    await publishSummary(text, summary, report.files?.folder, step);
}
/** `onPage`: whether it is wanted on the page of the workflow run. */
async function publishSummary(text, onPage, filesFolder, step) {
    if (onPage) {
        const problem = await writeSummary(text, step.environment['GITHUB_STEP_SUMMARY']);
        if (problem)
            step.log.note('summary-not-written', { why: problem });
    }
    await keepSummary(text, filesFolder, step);
}
/** Also where the job summary is switched off: who does that may want it in another place. */
async function keepSummary(text, filesFolder, { environment, outputs, log }) {
    try {
        const folder = filesFolder ?? (await (0,workspace/* makeStepFolder */.vV)(environment));
        const file = external_node_path_default().join(folder, 'summary.md');
        await (0,promises_.writeFile)(file, text);
        outputs.set('summary-file', file);
    }
    catch (error) {
        log.note('summary-file-not-written', { why: (0,file_problem/* describeFileProblem */.R)(error) });
        outputs.set('summary-file', '');
    }
}

;// CONCATENATED MODULE: ./src/actions/report-execution.ts
/** Tells people what became of an execution: outputs, files, log, job summary, the one annotation. */











async function reportExecution(followed, { waiting, publishing, uploader }, step) {
    const { files } = followed;
    const published = files && (await publish(followed, files, publishing, uploader, step));
    const report = afterPublishing(followed, step);
    const failure = failureOf(report, published, waiting, step);
    const annotation = failure && annotate(failure, report, published, step);
    if (published)
        printTexts(report, published, publishing, failure !== undefined, step);
    step.log.verdict(headlineOf(report, annotation), !annotation);
    const remainder = failure ? undefined : whatIsLeftToDo(report, waiting.timeout, step);
    for (const line of remainder ?? [])
        step.log.info(line);
    await summarise(report, published, { failure, remainder, publishing }, step);
    const verdict = annotation ? { kind: 'failed', annotation } : runner_step/* passed */.bF;
    return { verdict, told: outcomeTold(report, failure, step) };
}
/** A later attempt of the job hands on again what this one could not hand on. */
const notHandedOn = new Set([
    'cancelled',
    'result-not-fetched',
    'copy-not-written',
    'outputs-not-written',
]);
function outcomeTold({ ending }, failure, { outputs }) {
    const isLost = outputs.problem !== undefined || (failure && notHandedOn.has(failure.kind));
    return ending.kind === 'finished' && !isLost ? ending.outcome : undefined;
}
/** The runner may have ended the step while files were fetched or uploaded. */
function afterPublishing(report, { cancelled, outputs }) {
    if (!cancelled.aborted || report.executionId === undefined)
        return report;
    if (report.conclusion !== 'cancelled')
        outputs.set('conclusion', 'cancelled');
    return { ...report, conclusion: 'cancelled' };
}
function annotate(failure, report, published, { environment, secrets }) {
    const { artifact } = published ?? {};
    const log = report.files?.log;
    const subject = { ...report, attemptsLine: (0,retries/* describeAttempts */.U_)(report, { secrets }) };
    const place = {
        artifactUrl: artifact?.kind === 'uploaded' ? artifact.url : undefined,
        logFile: log?.kind === 'file' ? log.path : undefined,
        findInWorkspace: (0,workspace/* finderIn */.Mk)(environment),
    };
    return (0,annotation/* describeFailure */.Ic)(failure, subject, place, (text) => secrets.show(text));
}
function printTexts({ conclusion }, { result, logTail }, { printResult, printLog }, failed, { log, secrets }) {
    // What a failed run leaves is seldom worth more than its file.
    if (result?.text !== undefined && conclusion === 'success' && printResult) {
        const text = secrets.show(result.text, !result.complete).trimEnd();
        const head = firstLines(text);
        const whole = head === text && result.complete;
        if (text)
            log.untrustedBlock(whole ? 'The result' : 'The beginning of the result', head);
    }
    const shown = printLog === 'always' || (printLog === 'on-failure' && failed);
    if (shown && logTail.trim())
        log.untrustedBlock('Log of the automation', logTail.trimEnd());
}
// More of a result than this belongs into a file, not into a log.
const resultLinesShown = 20;
const longestResultLine = 2_000;
function firstLines(text) {
    const head = text.split('\n', resultLinesShown);
    return head.map((line) => (0,cut/* cut */.Jj)(line, longestResultLine)).join('\n');
}
function headlineOf(report, annotation) {
    const { automation, executionId = '', conclusion } = report;
    const duration = (0,quantities/* describeElapsed */.gN)(report.duration);
    if (annotation && !executionId)
        return annotation.title;
    if (annotation)
        return `${annotation.title} (after ${duration})`;
    const subject = automation ?? `Execution ${executionId}`;
    if (conclusion === 'success')
        return `${subject} succeeded after ${duration}`;
    return `${subject}: ${conclusion} (after ${duration}), allowed by fail-on`;
}
/** A run that goes on must not get lost from sight, even where `fail-on` lets that pass. */
function whatIsLeftToDo(report, timeout, { secrets }) {
    if (report.conclusion !== 'timed-out')
        return undefined;
    const ending = (0,shown_texts/* showTexts */.K_)(timedOut(report, timeout), (text) => secrets.show(text));
    return [(0,messages_failure/* whatHappened */.ez)(ending), `Next: ${(0,messages_failure/* hintFor */.JR)(ending, report.executionId)}`];
}


/***/ })

};
;