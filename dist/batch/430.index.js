"use strict";
exports.id = 430;
exports.ids = [430];
exports.modules = {

/***/ 2430:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  reportBatch: () => (/* binding */ reportBatch)
});

// EXTERNAL MODULE: ./src/cut.ts
var cut = __webpack_require__(4395);
// EXTERNAL MODULE: ./src/messages/text/untrusted-text.ts
var untrusted_text = __webpack_require__(3958);
// EXTERNAL MODULE: ./src/version.ts
var version = __webpack_require__(311);
;// CONCATENATED MODULE: ./src/messages/batch/hint.ts


// An annotation has room for 4,096 characters in all.
const longestPath = 300;
function batchHint({ conclusion, stop, counts }, { failing }, { artifactUrl, failedSeedsFile }, show) {
    const again = 'run this job again: it keeps what succeeded, takes over what still runs and starts the rest';
    if (conclusion === 'cancelled') {
        return `When you want the rest, ${again}. Or fetch each with ${version/* waitAction */.Or} and its execution id (results-file).`;
    }
    if (stop?.kind === 'credentials-refused') {
        return `Check api-token, api-key, authorization-scheme, project and automation, then ${again}.`;
    }
    if (counts.failed > 0 || counts.notStarted > 0) {
        const file = artifactUrl === undefined ? failedSeedsFile : 'failed-seeds.jsonl in the artifact';
        const seeds = file === undefined
            ? ''
            : ` Or start these seeds alone: ${(0,untrusted_text/* inline */.mG)(show(file), longestPath)} is the seeds-file for them.`;
        // Where nothing failed, time alone was missing, and the causes tell of nothing to correct.
        const isLate = counts.failed === 0 && conclusion === 'timed-out';
        return `${isLate ? 'Raise the input timeout, or' : 'Correct what the causes tell, then'} ${again}.${seeds}`;
    }
    if (failing.unknown > 0) {
        return "Look for new runs in the service's dashboard, or at the receiver of the webhook, before you start these seeds again.";
    }
    if (failing.unfinished === 0) {
        return 'Run this job again: it fetches the missing results, and starts none of these runs anew.';
    }
    return `Raise the input timeout, or ${again}.`;
}

// EXTERNAL MODULE: ./src/messages/batch/shown-run.ts
var shown_run = __webpack_require__(30);
// EXTERNAL MODULE: ./src/messages/entries.ts
var entries = __webpack_require__(6408);
// EXTERNAL MODULE: ./src/messages/quantities.ts
var quantities = __webpack_require__(2107);
// EXTERNAL MODULE: ./src/messages/batch/progress.ts
var progress = __webpack_require__(8424);
;// CONCATENATED MODULE: ./src/messages/batch/verdict.ts
/** What a batch came to, as annotation and summary say it alike. */



/** How many of how many; `name` is fit to be shown. */
function batchHeading({ counts, conclusion }, { failing }, name) {
    const { total } = counts;
    const count = { subject: name, total: String(total), runs: (0,quantities/* nounFor */.Ax)(total, 'run') };
    const were = (amount) => (amount === 1 ? 'was' : 'were');
    const { failed, unknown, unfinished, notStarted, succeeded } = failing;
    if (conclusion === 'cancelled')
        return (0,entries/* headingOf */.Wm)('cancelled', { subject: name });
    if (failed > 0)
        return (0,entries/* headingOf */.Wm)('batch-failed', { ...count, failed: String(failed) });
    if (unknown > 0)
        return (0,entries/* headingOf */.Wm)('batch-unknown', { ...count, unknown: String(unknown) });
    if (unfinished > 0) {
        const open = { open: String(unfinished), were: were(unfinished) };
        return (0,entries/* headingOf */.Wm)('batch-unfinished', { ...count, ...open });
    }
    if (notStarted > 0) {
        const waiting = { waiting: String(notStarted), were: were(notStarted) };
        return (0,entries/* headingOf */.Wm)('batch-not-started', { ...count, ...waiting });
    }
    return (0,entries/* headingOf */.Wm)('batch-results-missing', { ...count, missing: String(succeeded) });
}
/** What the runs came to, and why no more were started. */
function batchFailureLines({ counts, stop }, { failing }, show) {
    const unsuccessful = progress/* everyStanding */.YN.filter((standing) => standing !== 'succeeded');
    const allowed = unsuccessful.reduce((sum, each) => sum + counts[each] - failing[each], 0);
    const note = allowed > 0 ? ` (${allowed} allowed by fail-on)` : '';
    return [
        `Of ${counts.total}: ${(0,progress/* describeCounts */.wv)(counts, progress/* everyStanding */.YN)}${note}.`,
        ...(stop ? [(0,progress/* describeStop */.Cw)(stop, show)] : []),
    ];
}

;// CONCATENATED MODULE: ./src/messages/batch/failure.ts





// Together under `longestMessage`.
const longestName = 100;
const longestCause = 400;
const longestAddress = 400;
function describeBatchFailure(end, survey, place, show) {
    const { artifactUrl } = place;
    const lines = [
        ...batchFailureLines(end, survey, show),
        ...causeLines(survey, end.stop?.kind === 'credentials-refused'),
        ...(artifactUrl === undefined
            ? []
            : [`Artifact: ${(0,untrusted_text/* inline */.mG)(show(artifactUrl), longestAddress)}`]),
        `Next: ${batchHint(end, survey, place, show)}`,
    ];
    const name = (0,untrusted_text/* inline */.mG)(show(end.automation), longestName);
    return { ...batchHeading(end, survey, name), message: lines.join('\n') };
}
/** `isRefusalTold`: a line before has told why a start was not accepted. */
function causeLines({ failing, causes }, isRefusalTold) {
    const { failed, unknown, unfinished, succeeded } = failing;
    const begun = causes.filter(({ standing }) => standing !== 'notStarted');
    const more = failed + unknown + unfinished + succeeded - begun.length;
    const shown = (isRefusalTold ? begun : causes).map((run) => (0,cut/* cut */.Jj)(causeOf(run), longestCause));
    return more > 0 ? [...shown, `… and ${more} more, which results-file tells of.`] : shown;
}
function causeOf(run) {
    const id = run.executionId === undefined ? '' : ` (execution ${run.executionId})`;
    const words = (0,shown_run/* whatBecameOf */.Vo)(run);
    return `${(0,cut/* cut */.Jj)(`${words}${(0,shown_run/* because */.xx)(run)}`, longestCause - id.length)}${id}`;
}

// EXTERNAL MODULE: ./src/messages/annotation.ts
var annotation = __webpack_require__(1643);
;// CONCATENATED MODULE: ./src/messages/batch/lost-files.ts
/** Files of a batch that next steps count on, and that could not be written. */


/** Of a batch that no run lets fail: the next steps count on these files. */
function describeLostFiles(automation, lost) {
    return (0,annotation/* describeProblem */.BJ)({
        ...(0,entries/* headingOf */.Wm)('copy-not-written', { subject: automation }),
        message: lost.map(({ input, why }) => `${input} could not be written: ${why}.`).join('\n'),
        hint: 'What the runs left is in the artifact, if there is one. When the files can be written, run this job again.',
    });
}

// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
var external_node_path_default = /*#__PURE__*/__webpack_require__.n(external_node_path_);
// EXTERNAL MODULE: ./src/download/file-text.ts
var file_text = __webpack_require__(8386);
;// CONCATENATED MODULE: ./src/messages/batch/one-line-json.ts
/**
 * A valid JSON text on one line, its numbers and strings as they were written. A line break and the
 * indentation after it stand between tokens: a string has none but as an escape. A byte order mark
 * is no part of the JSON.
 */
function oneLineJson(text) {
    return text
        .replace(/^\uFEFF/, '')
        .replace(/[\r\n][ \t\r\n]*/g, '')
        .trim();
}
/** Whether it is JSON, and can be read without too deep a stack. */
function isJson(text) {
    try {
        JSON.parse(text);
        return true;
    }
    catch {
        return false;
    }
}

;// CONCATENATED MODULE: ./src/messages/batch/results.ts
/** What each run came to, as data: the output `results` and the file `results.jsonl`. */





// Bytes. A job may carry 1 MB of outputs.
const longestOutput = 256 * 1024;
const longestResult = 1024 * 1024;
const longestResults = 64 * 1024 * 1024;
const results_longestCause = 1_000;
/**
 * The label is data of the workflow's own and goes on verbatim; the cause is a text for people. Files
 * are told relative to the batch's folder, with `/`: so they are right in the artifact too.
 */
function resultOf(record, show) {
    const { index, label, executionId, conclusion, attempts, cause, resultFile, logFile } = record;
    const duration = (0,shown_run/* durationOf */.cf)(record);
    return {
        index,
        label: label ?? null,
        execution_id: executionId ?? null,
        conclusion,
        attempts: attempts.length,
        duration_seconds: duration === undefined ? null : Math.round(duration / 1000),
        cause: cause === undefined ? null : (0,cut/* cut */.Jj)(show(cause), results_longestCause),
        result_file: resultFile ?? null,
        log_file: logFile ?? null,
    };
}
/** The output `results`: a JSON array in the order of the seeds; empty where it is over 256 KiB. */
async function resultsOutput(records, show) {
    const parts = [];
    let size = '[]'.length;
    for await (const record of records) {
        const part = JSON.stringify(resultOf(record, show));
        size += Buffer.byteLength(part) + (parts.length > 0 ? ','.length : 0);
        if (size > longestOutput)
            return '';
        parts.push(part);
    }
    return `[${parts.join(',')}]`;
}
/** The line of the log where that output is empty. */
const resultsTooLarge = 'The output results is over 256 KiB, and so is empty: use results-file.';
/**
 * The lines of `results.jsonl`. A result that is JSON stands in its line as it was written, without
 * its line breaks: reading it would alter numbers. `limit`: bytes of all results; 0 where there is
 * no time to read any.
 */
async function* resultLines(records, folder, show, limit = longestResults) {
    let rest = limit;
    for await (const record of records) {
        const own = JSON.stringify(resultOf(record, show));
        const result = rest > 0 ? await readResult(record.resultFile, folder) : undefined;
        const size = result === undefined ? 0 : Buffer.byteLength(result);
        const fits = result !== undefined && size <= rest;
        if (fits)
            rest -= size;
        yield fits ? `${own.slice(0, -1)},"result":${result}}\n` : `${own}\n`;
    }
}
/** On one line; undefined where it is no JSON, too large, or gone. */
async function readResult(file, folder) {
    if (file === undefined)
        return undefined;
    const head = await (0,file_text/* readHead */.zy)(external_node_path_default().join(folder, file), longestResult).catch(() => undefined);
    const text = head?.complete ? (0,file_text/* textOf */.b6)(head) : undefined;
    if (text === undefined || !looksLikeJson(text, file))
        return undefined;
    const line = oneLineJson(text);
    return isJson(line) ? line : undefined;
}
/** A text such as `2026` is JSON by chance, unless its name says so. */
function looksLikeJson(text, file) {
    return /\.json$/i.test(file) || /^\uFEFF?\s*[[{]/.test(text);
}

// EXTERNAL MODULE: ./src/messages/batch/stop.ts
var stop = __webpack_require__(4687);
// EXTERNAL MODULE: ./src/execution/batch/stop.ts
var batch_stop = __webpack_require__(8877);
;// CONCATENATED MODULE: ./src/messages/batch/time-bars.ts
const mostBars = 100;
const counted = ['failed', 'unknown', 'unfinished'];
class TimeBars {
    #size;
    #duration;
    #bars = [];
    #seen = 0;
    #group = -1;
    /** `total`: of the runs that will be added; `duration`: when those that are not over are drawn to. */
    constructor(total, duration) {
        this.#size = Math.max(1, Math.ceil(total / mostBars));
        this.#duration = duration;
    }
    add(run) {
        const group = Math.floor(this.#seen / this.#size);
        this.#seen += 1;
        if (run.startedAt === undefined)
            return;
        const from = Math.max(0, run.startedAt);
        const to = Math.max(from, run.endedAt ?? this.#duration);
        const last = this.#bars.at(-1);
        const bar = last && group === this.#group ? last : this.#open(run, group);
        bar.last = run.number;
        bar.runs += 1;
        bar.from = Math.min(bar.from, from);
        bar.to = Math.max(bar.to, to);
        const counter = counted.find((standing) => standing === run.standing);
        if (counter)
            bar[counter] += 1;
    }
    all() {
        return this.#bars;
    }
    #open({ number, conclusion }, group) {
        const counts = { runs: 0, failed: 0, unknown: 0, unfinished: 0 };
        const bar = { first: number, last: number, from: Infinity, to: 0, conclusion, ...counts };
        this.#group = group;
        this.#bars.push(bar);
        return bar;
    }
}

;// CONCATENATED MODULE: ./src/messages/batch/survey.ts




const mostCauses = 5;
const mostRows = 50;
const mostResults = 10;
const worstFirst = [
    'failed',
    'unknown',
    'unfinished',
    'notStarted',
    'succeeded',
];
/** `total`: how many records there are; `duration`: milliseconds that the batch took. */
async function surveyBatch(records, { total, duration }, show) {
    const found = new Found(new TimeBars(total, duration));
    for await (const record of records)
        found.add((0,shown_run/* showRun */.X3)(record, show));
    return found.survey();
}
class Found {
    #bars;
    #failing = perStanding(() => 0);
    #rows = perStanding(() => []);
    #causes = [];
    #results = [];
    constructor(bars) {
        this.#bars = bars;
    }
    add(run) {
        this.#bars.add(run);
        addWithin(this.#rows[run.standing], run, mostRows);
        if (run.failsStep) {
            this.#failing[run.standing] += 1;
            if (hasOwnCause(run))
                addWithin(this.#causes, run, mostCauses);
        }
        if (run.standing === 'succeeded' && run.resultFile !== undefined) {
            addWithin(this.#results, run, mostResults);
        }
    }
    survey() {
        return {
            failing: this.#failing,
            causes: this.#causes,
            rows: worstFirst.flatMap((standing) => this.#rows[standing]).slice(0, mostRows),
            results: this.#results,
            bars: this.#bars.all(),
        };
    }
}
/** Why the others were not started is the same for all, and told once. */
function hasOwnCause({ standing, cause }) {
    const words = Object.values(batch_stop/* stopWords */.e);
    return standing !== 'notStarted' || (cause !== undefined && !words.includes(cause));
}
function perStanding(make) {
    const entries = progress/* everyStanding */.YN.map((standing) => [standing, make()]);
    return Object.fromEntries(entries);
}
function addWithin(list, value, limit) {
    if (list.length < limit)
        list.push(value);
}

// EXTERNAL MODULE: ./src/runner/step.ts + 20 modules
var runner_step = __webpack_require__(1589);
// EXTERNAL MODULE: ./src/messages/file-problem.ts
var file_problem = __webpack_require__(3854);
;// CONCATENATED MODULE: ./src/runner/artifact/name.ts
/** Names of artifacts ("Upload artifact": the characters that the artifact service refuses). */
const refused = /["<>|*?:\r\n\\/\p{Cc}]/gu;
// The service's own limit is 260; the rest of the room is the runner's.
const longest = 220;
/** The name given, or `<automation>-<execution id>` with refused characters replaced by `-`. */
function name_artifactNameFor(given, automation, executionId) {
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
// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
;// CONCATENATED MODULE: ./src/actions/upload-artifact.ts
/** One artifact of all that a run left. What goes wrong with it changes no verdict. */








/** Never rejects. Prints nothing: {@link tellOfArtifact} does. */
async function uploadArtifact(report, files, publishing, uploader, step) {
    return uploadFolder(report, files, publishing, uploader, step).catch((error) => ({ kind: 'failed', why: describeFileProblem(error) }));
}
async function uploadFolder(report, { folder, result, log }, { artifactName, retentionDays }, uploader, { environment, secrets }) {
    if (folder === undefined)
        throw new Error('there is no folder to put it together in');
    const recordFile = path.join(folder, 'execution.json');
    const show = (text) => secrets.show(text);
    await writeFile(recordFile, executionRecord(report, workflowRunOf(environment), show));
    const { executionId = '', automation = 'automation' } = report;
    const name = artifactNameFor(artifactName, automation, executionId);
    const files = [pathOf(result), pathOf(log), recordFile].filter((file) => file !== '');
    return publishArtifact({ name, files, folder, retentionDays }, uploader, environment);
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

;// CONCATENATED MODULE: ./src/actions/batch/artifact.ts
/** One artifact of all that a batch left. What goes wrong with it changes no verdict. */






/** None where there was nothing to run, and after a cancellation, which leaves no time for it. */
async function uploadBatch({ counts }, inputs, place, step) {
    if (!inputs.publishing.uploadArtifact || counts.total === 0 || step.cancelled.aborted) {
        return undefined;
    }
    const artifact = await artifact_uploadFolder(inputs, place, step).catch((error) => ({ kind: 'failed', why: (0,file_problem/* describeFileProblem */.R)(error) }));
    tellOfArtifact(artifact, place.folders.folder, step);
    return artifact;
}
async function artifact_uploadFolder({ target, list: { shard }, publishing: { artifactName, retentionDays } }, { folders, uploader }, { environment }) {
    const { folder } = folders;
    const attempt = (0,workflow_run/* attemptOf */.tx)(environment);
    // Artifacts of one workflow run share their names with those of its other jobs and attempts.
    const parts = ['batch', shard?.index, attempt > 1 ? attempt : undefined];
    const own = parts.filter((part) => part !== undefined).join('-');
    const name = name_artifactNameFor(artifactName, target.automation, own);
    const files = (await folders.files()).map((file) => external_node_path_default().join(folder, file));
    return (0,publish_artifact/* publishArtifact */.q)({ name, files, folder, retentionDays }, uploader, environment);
}

;// CONCATENATED MODULE: ./src/messages/batch/failed-seeds.ts


/**
 * One line a seed whose run failed or was not started, in order. Runs whose outcome is unknown, or
 * that are not over, may still do their work: started again, they would do it twice.
 */
async function* failedSeedLines(records, list) {
    const seeds = new Map(list.seeds.map((seed) => [seed.index, seed]));
    for await (const { index, conclusion } of records) {
        const seed = seeds.get(index);
        const standing = shown_run/* standings */.ES[conclusion];
        if (!seed || (standing !== 'failed' && standing !== 'notStarted'))
            continue;
        yield `${oneLineJson(await list.textOf(seed))}\n`;
    }
}

// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: external "node:stream/promises"
var external_node_stream_promises_ = __webpack_require__(6466);
;// CONCATENATED MODULE: ./src/messages/batch/write-texts.ts


/**
 * Writes a file piece by piece, as they come: none of a batch's files is ever in memory as a whole.
 * Rejects with the errors of `node:fs`, with those of the pieces, and when the signal aborts.
 */
async function writeTexts(file, pieces, signal) {
    await (0,external_node_stream_promises_.pipeline)(pieces, (0,external_node_fs_.createWriteStream)(file), { ...(signal && { signal }) });
}

// EXTERNAL MODULE: ./src/runner/workspace.ts
var workspace = __webpack_require__(7683);
;// CONCATENATED MODULE: ./src/actions/batch/files.ts
/** The files that tell of all runs of a batch: beside the runs' folders, and in the workspace. */






async function writeBatchFiles(report, { target, list, publishing }, folders, step) {
    const { folder } = folders;
    const lost = [];
    const write = async (input, work) => {
        try {
            return await work();
        }
        catch (error) {
            const why = (0,file_problem/* describeFileProblem */.R)(error);
            // After a cancellation there is time for the ids alone, which the log has too.
            if (step.cancelled.aborted)
                return undefined;
            // In the artifact the report is an extra.
            if (input === 'junit-file' && publishing.junitFile === undefined) {
                step.log.info(`There is no junit.xml in the artifact: ${why}`);
            }
            else
                lost.push({ input, why });
            return undefined;
        }
    };
    const resultsFile = await write('results-file', () => writeResults(report, folder, step));
    const failedSeedsFile = await write('failed-seeds-file', () => writeFailedSeeds(report, list.seeds, folder, step));
    await write('junit-file', () => writeJUnit(report, { ...target, ...publishing }, folder, step));
    await write('results-folder', () => copyResults(publishing.resultsFolder, folders, step));
    return { resultsFile, failedSeedsFile, lost };
}
/** With the ids and without any result where the step is cancelled. */
async function writeResults(report, folder, { secrets, cancelled }) {
    const file = external_node_path_default().join(folder, 'results.jsonl');
    const show = (text) => secrets.show(text);
    const isCutShort = () => cancelled.aborted;
    try {
        await writeTexts(file, resultLines(report.records(), folder, show), cancelled);
    }
    catch (error) {
        if (!isCutShort())
            throw error;
        await writeTexts(file, resultLines(report.records(), folder, show, 0));
    }
    return file;
}
async function writeFailedSeeds(report, seeds, folder, { cancelled }) {
    const file = external_node_path_default().join(folder, 'failed-seeds.jsonl');
    await writeTexts(file, failedSeedLines(report.records(), seeds), cancelled);
    return file;
}
/** The writer of XML is loaded only now. */
async function writeJUnit({ records, startedOn, duration }, { automation, junitFile }, folder, step) {
    const { junitReport } = await Promise.all(/* import() */[__webpack_require__.e(585), __webpack_require__.e(11)]).then(__webpack_require__.bind(__webpack_require__, 4011));
    const file = external_node_path_default().join(folder, 'junit.xml');
    const facts = { automation, startedOn, duration, folder };
    const show = (text) => step.secrets.show(text);
    await writeTexts(file, junitReport(facts, records, show), step.cancelled);
    if (junitFile === undefined)
        return file;
    await (0,workspace/* copyIntoWorkspace */.$i)(file, junitFile, step);
    step.log.info(`Copied to ${junitFile} (junit-file)`);
    return junitFile;
}
async function copyResults(target, folders, step) {
    if (target === undefined)
        return '';
    for (const file of await folders.files()) {
        await (0,workspace/* copyIntoWorkspace */.$i)(external_node_path_default().join(folders.folder, file), external_node_path_default().join(target, file), step);
    }
    step.log.info(`Copied to ${target} (results-folder)`);
    return target;
}

// EXTERNAL MODULE: ./src/messages/batch/log-end.ts
var log_end = __webpack_require__(5913);
;// CONCATENATED MODULE: ./src/actions/batch/print-logs.ts


// Bytes: of all logs, and what each of many gets.
const mostOfAll = 1024 * 1024;
const leastOfEach = 8 * 1024;
/** Each folded, in the order of the seeds; together at most 1 MiB, shared among them. */
async function printLogs({ records }, { printLog }, folder, { log, secrets }) {
    if (printLog === 'never')
        return;
    const show = (text, isCut) => secrets.show(text, isCut);
    const isWanted = ({ failsStep }) => printLog === 'always' || failsStep;
    let wanted = 0;
    for await (const record of records())
        if (isWanted(record))
            wanted += 1;
    const share = Math.max(leastOfEach, Math.floor(mostOfAll / Math.max(1, wanted)));
    let rest = mostOfAll;
    for await (const record of records()) {
        const { logFile: file } = record;
        if (file === undefined || !isWanted(record))
            continue;
        const text = await (0,log_end/* readLogEnd */.q)({ folder, file }, Math.min(share, rest), show);
        rest -= Buffer.byteLength(text);
        if (text)
            log.untrustedBlock(`Log of ${(0,shown_run/* nameSeed */.pf)(record, show)}`, text);
        if (rest <= 0)
            return;
    }
}

;// CONCATENATED MODULE: ./src/messages/summary/batch-gantt.ts
const fewestBars = 2;
const tenMinutes = 600_000;
const day = 86_400_000;
/**
 * The blocks: a chart and the words for it; none where there is nothing to compare. Mermaid takes
 * 50,000 characters, and at most 100 bars of some 60 stand in it. Names from outside do not.
 */
function renderGantt(bars, startedOn) {
    if (bars.length < fewestBars)
        return [];
    const start = startedOn.getTime();
    const isGrouped = bars.some(({ runs }) => runs > 1);
    const chart = [
        '```mermaid',
        'gantt',
        // Epoch milliseconds; the axis shows the time of day where the reader is.
        '    dateFormat x',
        `    axisFormat ${axisFormat(bars)}`,
        ...bars.map((bar) => line(bar, start)),
        '```',
    ];
    return [chart.join('\n'), `<p>${legend(isGrouped)}</p>`];
}
function line(bar, start) {
    const from = Math.round(start + bar.from);
    // Mermaid draws nothing of no length.
    const span = Math.max(1, Math.round(bar.to - bar.from));
    return `    ${nameOf(bar)} :${tagOf(bar)}, ${from}, ${span}ms`;
}
function nameOf({ first, last, runs, conclusion, ...counts }) {
    if (runs === 1)
        return `${first} ${conclusion}`;
    const told = ['failed', 'unknown', 'unfinished']
        .filter((standing) => counts[standing] > 0)
        .map((standing) => `, ${counts[standing]} ${standing}`);
    return `${first} to ${last}${told.join('')}`;
}
function tagOf({ failed, unknown, unfinished }) {
    if (failed + unknown > 0)
        return 'crit';
    return unfinished > 0 ? 'active' : 'done';
}
function axisFormat(bars) {
    const from = bars.reduce((least, bar) => Math.min(least, bar.from), Infinity);
    const to = bars.reduce((most, bar) => Math.max(most, bar.to), 0);
    if (to - from >= day)
        return '%m-%d %H:%M';
    return to - from >= tenMinutes ? '%H:%M' : '%H:%M:%S';
}
function legend(isGrouped) {
    const colours = 'grey: succeeded, red: failed or unknown, blue: not over';
    return isGrouped
        ? `When the runs ran, by number. Each bar stands for several, from the first start to the last end, in the colour of the worst (${colours}).`
        : `When the runs ran, by number (${colours}).`;
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
const html_longestAddress = 1_000;
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
        const url = URL.parse((0,cut/* cut */.Jj)(this.show(address), html_longestAddress));
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
function html_takeWithin(texts, limit) {
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

;// CONCATENATED MODULE: ./src/messages/summary/batch-results.ts
/** The beginnings of the first results of a batch, for its summary. */






// Longer than what is shown of one, so that a secret across the cut is still whole.
const bytesRead = 8 * 1024;
const mostLines = 10;
const mostCharacters = 1_000;
const longestHead = 6 * 1024;
const batch_results_longestName = 200;
/** Reads the heads of these runs' results; `folder` is the batch's. One that is gone is left out. */
async function readResultHeads(runs, folder) {
    const heads = runs.map(async (run) => {
        if (run.resultFile === undefined)
            return undefined;
        const head = await (0,file_text/* readHead */.zy)(external_node_path_default().join(folder, run.resultFile), bytesRead).catch(() => undefined);
        const { number, label } = run;
        return head && { ...head, run: { number, label }, text: (0,file_text/* textOf */.b6)(head) };
    });
    return (await Promise.all(heads)).filter((head) => head !== undefined);
}
/** One folded block; `total`: how many runs succeeded. */
function renderResultHeads(heads, total, page) {
    if (heads.length === 0)
        return [];
    const title = heads.length < total ? `The first ${heads.length} of ${total} results` : 'The results';
    return [folded(title, heads.map((head) => renderHead(head, page)).join('\n'))];
}
function renderHead({ run, size, text, complete }, page) {
    const name = `<p><strong>${page.prose((0,shown_run/* nameRun */.Lu)(run), batch_results_longestName)}</strong> (${(0,quantities/* describeSize */.jt)(size)})</p>`;
    if (text === undefined || text.trim() === '')
        return name;
    const all = page.preformatted(shorten(page.show(text.trimEnd(), !complete)));
    const lines = html_takeWithin(all.slice(0, mostLines), longestHead);
    const isCut = lines.length < all.length || (!complete && !lines.at(-1)?.endsWith('…'));
    return `${name}\n${preformatted(isCut ? [...lines, '…'] : lines)}`;
}
/** Takes a text that is free of secrets. */
function shorten(text) {
    return (0,cut/* cut */.Jj)(text, mostCharacters);
}

;// CONCATENATED MODULE: ./src/messages/summary/table.ts
/** Rows of values as an HTML table, bounded in rows, columns, characters and bytes. */


const table_mostRows = 50;
const mostColumns = 12;
const longestCell = 200;
const longestHeading = 40;
/** One row per object, one column per key of the rows shown. `limit`: bytes. */
function tableOfRows(objects, limit, page) {
    const shown = objects.slice(0, table_mostRows).map((object) => new Map(Object.entries(object)));
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
        .slice(0, table_mostRows)
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

;// CONCATENATED MODULE: ./src/messages/summary/batch-table.ts
/** The runs of a batch as an HTML table, bounded in rows, characters and bytes. */




const longestTable = 150 * 1024;
const longestLabel = 80;
const batch_table_longestCause = 300;
const longestId = 100;
/** The blocks: the table of these rows, and what of `total` runs it leaves out. */
function renderRuns(rows, total, page) {
    if (rows.length === 0)
        return [];
    const hasLabels = rows.some(({ label }) => label !== undefined);
    const titles = [
        'Run',
        ...(hasLabels ? ['Label'] : []),
        'Conclusion',
        'Duration',
        'Cause',
        'Execution',
    ];
    const heading = `<tr>${titles.map((title) => `<th>${title}</th>`).join('')}</tr>`;
    const shown = html_takeWithin([heading, ...rows.map((run) => row(run, hasLabels, page))], longestTable);
    const leftOut = total - shown.length + 1;
    return [
        assemble(shown),
        ...(leftOut > 0 ? [`<p>… and ${leftOut} more, in <code>results-file</code>.</p>`] : []),
    ];
}
function row(run, hasLabels, page) {
    const duration = (0,shown_run/* durationOf */.cf)(run);
    const tries = run.attempts > 1 ? `, ${run.attempts} executions` : '';
    return [
        '<tr>',
        `<td align="right">${run.number}</td>`,
        ...(hasLabels ? [batch_table_text(run.label, longestLabel, page)] : []),
        `<td>${run.conclusion}${tries}</td>`,
        `<td align="right">${duration === undefined ? '' : (0,quantities/* describeElapsed */.gN)(duration)}</td>`,
        batch_table_text(run.cause, batch_table_longestCause, page),
        batch_table_text(run.executionId, longestId, page),
        '</tr>',
    ].join('');
}
function batch_table_text(value, limit, page) {
    return `<td dir="auto">${page.prose(value ?? '', limit)}</td>`;
}

;// CONCATENATED MODULE: ./src/messages/summary/batch.ts









const batch_longestName = 100;
const longestSentence = 600;
const longestFact = 200;
/**
 * HTML blocks and one chart, under 400 KiB whatever the number of runs and whatever is in their
 * texts. Ends with a blank line, like the summary of one run.
 */
function renderBatchSummary(batch, survey, show) {
    const page = new Page(show);
    return joinBlocks([
        `<h3>${heading(batch, survey, page)}</h3>`,
        ...renderFailure(batch, survey, page),
        renderFacts(batch, page),
        ...renderGantt(survey.bars, batch.startedOn),
        ...renderRuns(survey.rows, batch.counts.total, page),
        ...renderResultHeads(batch.results, batch.counts.succeeded, page),
    ]);
}
function heading(batch, survey, page) {
    const name = page.prose(batch.automation, batch_longestName);
    if (batch.lost)
        return `❌ ${page.prose(batch.lost.title, longestSentence)}`;
    if (batch.failed)
        return `${batch.conclusion === 'cancelled' ? '🚫' : '❌'} ${batchHeading(batch, survey, name).title}`;
    const sign = batch.counts.succeeded === batch.counts.total ? '✅' : '⚠️';
    return `${sign} ${(0,progress/* describeBatchEnd */.V)(batch.counts, name, batch.duration)}`;
}
function renderFailure(batch, survey, page) {
    if (!batch.failed)
        return [];
    if (batch.lost)
        return [`<p>${page.prose(batch.lost.message, 4 * longestSentence)}</p>`];
    const place = { artifactUrl: batch.artifact?.url, failedSeedsFile: undefined };
    const hint = `Next: ${batchHint(batch, survey, place, page.show)}`;
    const [first = '', ...more] = [...batchFailureLines(batch, survey, page.show), hint].map((line) => page.prose(line, longestSentence));
    return [`<p>${[`<strong>${first}</strong>`, ...more].join('<br>')}</p>`];
}
function renderFacts({ counts, duration, artifact, runUrl }, page) {
    const titles = {
        succeeded: 'Succeeded',
        failed: 'Failed',
        unknown: 'Unknown',
        unfinished: 'Not over',
        notStarted: 'Not started',
    };
    const told = progress/* everyStanding */.YN.filter((standing) => counts[standing] > 0);
    const rows = [
        ['Runs', String(counts.total)],
        ...told.map((standing) => [titles[standing], String(counts[standing])]),
        ['Duration', (0,quantities/* describeElapsed */.gN)(duration)],
    ];
    if (artifact) {
        rows.push(['Artifact', page.link(artifact.url, page.prose(artifact.name, longestFact))]);
    }
    if (runUrl !== undefined)
        rows.push(['Workflow run', page.link(runUrl, 'this run')]);
    return assemble(rows.map(([name, value]) => `<tr>${keyCell(name, page)}<td>${value}</td></tr>`));
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
        attemptsLine: describeAttempts(report, { secrets }),
        artifact: artifact?.kind === 'uploaded' ? artifact : undefined,
        runUrl: workflowRunOf(environment).url,
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

;// CONCATENATED MODULE: ./src/actions/batch/summarise.ts
/** The job summary of a batch. */





/** What goes wrong with it is a warning: it changes no verdict. */
async function summariseBatch({ startedOn, duration }, survey, { failure, artifact, ...end }, { inputs: { publishing }, folders }, step) {
    const { environment, secrets, cancelled } = step;
    const showsResults = publishing.printResult && !cancelled.aborted;
    const batch = {
        ...end,
        ...{ startedOn, duration },
        failed: failure !== undefined,
        lost: failure?.isOfFiles ? failure.annotation : undefined,
        artifact: artifact?.kind === 'uploaded' ? artifact : undefined,
        runUrl: (0,workflow_run/* workflowRunOf */.ol)(environment).url,
        results: showsResults ? await readResultHeads(survey.results, folders.folder) : [],
    };
    const text = renderBatchSummary(batch, survey, (part, isCut) => secrets.show(part, isCut));
    // Beside the runs' folders: it is no part of what they left.
    await publishSummary(text, publishing.summary, external_node_path_default().dirname(folders.folder), step);
}

;// CONCATENATED MODULE: ./src/actions/batch/report.ts













/** Every id is told first: after a cancellation there may be no time for more. */
async function reportBatch(followed, { inputs, folders, uploader }, step) {
    const show = (text) => step.secrets.show(text);
    setOutputs(followed, step);
    for await (const line of (0,progress/* describeOpenRuns */.s2)(followed.records(), show))
        step.log.info(line);
    const files = await publishFiles(followed, inputs, folders, step);
    const artifact = await uploadBatch(followed, inputs, { folders, uploader }, step);
    const report = afterPublishing(followed, step);
    const end = endOf(report, inputs);
    const survey = await surveyBatch(report.records(), { ...end.counts, ...report }, show);
    const failure = annotate({ report, end, survey, files, artifact }, step);
    if (!step.cancelled.aborted)
        await printLogs(report, inputs.publishing, folders.folder, step);
    step.log.verdict(headlineOf(report, end, survey, failure), !failure);
    const told = { ...end, ...{ failure, files, artifact } };
    await summariseBatch(report, survey, told, { inputs, folders }, step);
    return failure ? { kind: 'failed', annotation: failure.annotation } : runner_step/* passed */.bF;
}
/** Those that need no file come first: writing files takes time and may fail. */
function setOutputs({ conclusion, counts, duration, resumed }, { outputs }) {
    outputs.set('conclusion', conclusion);
    outputs.set('total', String(counts.total));
    outputs.set('succeeded', String(counts.succeeded));
    outputs.set('failed', String(counts.failed));
    outputs.set('unknown', String(counts.unknown));
    outputs.set('unfinished', String(counts.unfinished));
    outputs.set('not-started', String(counts.notStarted));
    outputs.set('resumed', String(resumed > 0));
    outputs.set('duration-seconds', String(Math.round(duration / 1000)));
}
async function publishFiles(report, inputs, folders, step) {
    const { log, outputs, secrets } = step;
    log.title('Publish');
    const files = await writeBatchFiles(report, inputs, folders, step);
    outputs.set('results-file', files.resultsFile ?? '');
    outputs.set('failed-seeds-file', files.failedSeedsFile ?? '');
    const results = await resultsOutput(report.records(), (text) => secrets.show(text));
    outputs.set('results', results);
    if (files.resultsFile !== undefined)
        log.info(`Results: ${files.resultsFile}`);
    if (results === '')
        log.info(resultsTooLarge);
    return files;
}
/** The runner may have ended the step while files were written or uploaded. */
function afterPublishing(report, { cancelled, outputs }) {
    if (!cancelled.aborted)
        return report;
    if (report.conclusion !== 'cancelled')
        outputs.set('conclusion', 'cancelled');
    return { ...report, conclusion: 'cancelled' };
}
function endOf({ counts, conclusion, stopped, stoppedBy }, { target: { automation } }) {
    return { automation, counts, conclusion, stop: (0,stop/* stopOf */.l)(stopped, stoppedBy) };
}
function annotate({ report, end, survey, files, artifact }, { log, secrets }) {
    const show = (text) => secrets.show(text);
    const { lost, failedSeedsFile } = files;
    if (report.failing > 0 || report.conclusion === 'cancelled') {
        for (const { input, why } of lost)
            log.note('copy-not-written', { input, why });
        const artifactUrl = artifact?.kind === 'uploaded' ? artifact.url : undefined;
        const annotation = describeBatchFailure(end, survey, { artifactUrl, failedSeedsFile }, show);
        return { annotation, isOfFiles: false };
    }
    if (lost.length === 0)
        return undefined;
    return { annotation: describeLostFiles(end.automation, lost), isOfFiles: true };
}
function headlineOf({ counts, duration }, end, survey, failure) {
    if (!failure)
        return (0,progress/* describeBatchEnd */.V)(counts, end.automation, duration);
    const title = failure.isOfFiles
        ? failure.annotation.title
        : batchHeading(end, survey, end.automation).title;
    return `${title} (after ${(0,quantities/* describeElapsed */.gN)(duration)})`;
}


/***/ }),

/***/ 5913:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   q: () => (/* binding */ readLogEnd)
/* harmony export */ });
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6760);
/* harmony import */ var node_path__WEBPACK_IMPORTED_MODULE_0___default = /*#__PURE__*/__webpack_require__.n(node_path__WEBPACK_IMPORTED_MODULE_0__);
/* harmony import */ var _cut_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4395);
/* harmony import */ var _download_file_text_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8386);
/* harmony import */ var _text_shown_texts_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(3584);




// Characters; longer than any secret.
const longestLead = 4096;
/**
 * The last lines of a run's log as people may see them, at most `limit` bytes; empty where it is
 * gone. Secrets are looked for in more than what is kept, which begins with a whole line.
 */
async function readLogEnd({ folder, file }, limit, show) {
    const tail = await (0,_download_file_text_js__WEBPACK_IMPORTED_MODULE_1__/* .readTail */ .Zr)(node_path__WEBPACK_IMPORTED_MODULE_0___default().join(folder, file), limit + 2 * longestLead).catch(() => undefined);
    if (!tail)
        return '';
    const text = tail.bytes.toString('utf8');
    return (0,_cut_js__WEBPACK_IMPORTED_MODULE_2__/* .lastLines */ .w$)(tail.complete ? (0,_text_shown_texts_js__WEBPACK_IMPORTED_MODULE_3__/* .showLog */ .cS)(text, { show }) : showWithoutHead(text, show), limit).trimEnd();
}
/** What was cut may have left half a secret at the beginning, which nobody would find. */
function showWithoutHead(text, show) {
    const lineBreak = text.indexOf('\n');
    if (lineBreak !== -1 && lineBreak < text.length - 1) {
        return (0,_text_shown_texts_js__WEBPACK_IMPORTED_MODULE_3__/* .showLog */ .cS)(text.slice(lineBreak + 1), { show });
    }
    return (0,_text_shown_texts_js__WEBPACK_IMPORTED_MODULE_3__/* .showLog */ .cS)(text, { show }).slice((0,_text_shown_texts_js__WEBPACK_IMPORTED_MODULE_3__/* .showLog */ .cS)(text.slice(0, longestLead), { show }, true).length);
}


/***/ })

};
;