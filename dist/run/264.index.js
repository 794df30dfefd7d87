"use strict";
exports.id = 264;
exports.ids = [264];
exports.modules = {

/***/ 264:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  S: () => (/* binding */ addSummary)
});

// EXTERNAL MODULE: ./src/messages/annotation.ts
var annotation = __webpack_require__(643);
// EXTERNAL MODULE: ./src/messages/failure.ts
var messages_failure = __webpack_require__(530);
// EXTERNAL MODULE: ./src/messages/elapsed.ts
var elapsed = __webpack_require__(856);
// EXTERNAL MODULE: ./src/cut.ts
var cut = __webpack_require__(395);
// EXTERNAL MODULE: ./src/messages/text/untrusted-text.ts
var untrusted_text = __webpack_require__(958);
;// CONCATENATED MODULE: ./src/messages/summary/html.ts
/**
 * HTML for a job summary. GitHub reads it as Markdown first: an HTML block ends at the first blank
 * line, and what follows would be Markdown written by strangers. So every block here is made of
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

;// CONCATENATED MODULE: ./src/messages/summary/fact-table.ts


const longestFact = 200;
/** The small table of a summary: only what is known. */
function renderFacts(facts, page) {
    const { automation, project, executionId, duration, checks, artifact, runUrl, webhookGiven } = facts;
    const rows = [
        ['Automation', code(automation, page)],
        ['Project', code(project, page)],
        ['Execution', code(executionId, page)],
        ['Duration', duration === undefined ? undefined : (0,elapsed/* describeElapsed */.g)(duration)],
        ['Checks made', checks === undefined ? undefined : String(checks)],
        ['Artifact', artifact && page.link(artifact.url, page.prose(artifact.name, longestFact))],
        ['Workflow run', runUrl === undefined ? undefined : page.link(runUrl, 'this run')],
        ['Webhook', webhookWords(webhookGiven)],
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

// EXTERNAL MODULE: ./src/messages/text/shown-texts.ts
var shown_texts = __webpack_require__(897);
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
    // Before they are cut: half a secret is one that nobody finds.
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

// EXTERNAL MODULE: ./src/messages/size.ts
var messages_size = __webpack_require__(515);
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
    const facts = [page.prose(mediaType, longestName), (0,messages_size/* describeSize */.j)(size), note];
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
function renderSummary({ result, ...given }, show) {
    const facts = (0,shown_texts/* showTexts */.K)(given, show);
    const page = new Page(show);
    return joinBlocks([
        `<h3>${heading(facts, page)}</h3>`,
        ...renderFailure(facts, page),
        renderFacts(facts, page),
        ...(result ? renderWhatItReturned(facts.conclusion, result, page) : []),
        ...renderLog(facts, page),
    ]);
}
function heading(facts, page) {
    const { conclusion, automation, executionId } = facts;
    const execution = executionId === undefined ? 'The automation' : `Execution ${executionId}`;
    const name = page.prose(automation ?? execution, render_longestName);
    const [sign, words] = verdicts[conclusion];
    if (facts.failed && facts.failure) {
        return `${conclusion === 'success' ? '❌' : sign} ${(0,messages_failure/* titleOf */.Gg)(facts.failure, name)}`;
    }
    if (facts.failed === (conclusion !== 'success'))
        return `${sign} ${name} ${words}`;
    return facts.failed
        ? `❌ ${name} ${words}, but this step failed`
        : `⚠️ ${name} ${words} (allowed by fail-on)`;
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
function renderFailure(facts, page) {
    const sentences = failureLines(facts).slice(0, mostSentences);
    const [why, ...more] = sentences.map((line) => page.prose(line, longestSentence));
    if (why === undefined)
        return [];
    return [`<p>${[`<strong>${why}</strong>`, ...more].join('<br>')}</p>`];
}
/** What happened and what to do; the rest of an annotation is in the table of facts. */
function failureLines({ failure, message, cause, executionId }) {
    if (failure)
        return [...(0,annotation/* whyLines */.cn)(failure, cause), `Next: ${(0,messages_failure/* hintFor */.JR)(failure, executionId)}`];
    const why = cause ? [(0,annotation/* causeLine */.mB)(cause)] : [];
    return message === undefined ? why : message.split('\n');
}
function renderWhatItReturned(conclusion, result, page) {
    return conclusion === 'success' ? renderResult(result, page) : [nameResult(result, page)];
}
function renderLog({ conclusion, log }, page) {
    if (conclusion === 'success' || !log?.trim())
        return [];
    const all = page.preformatted(log.trimEnd().slice(-mostLogCharacters));
    // From the last line backwards: where it is too much, the oldest lines go.
    const shown = takeWithin(all.slice(-mostLogLines).toReversed(), longestLog).toReversed();
    const title = all.length < mostLogLines ? 'The log' : `The log's last ${shown.length} lines`;
    return [`<p><strong>${title}</strong></p>\n${preformatted(shown)}`];
}

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(455);
;// CONCATENATED MODULE: ./src/messages/summary/write.ts

/**
 * Adds to the step's summary file (`GITHUB_STEP_SUMMARY`). Never throws: a summary changes no
 * verdict. Returns the problem, or undefined when it was written.
 */
async function writeSummary(markdown, file) {
    if (!file)
        return 'this runner offers no job summary (GITHUB_STEP_SUMMARY is not set)';
    try {
        await (0,promises_.appendFile)(file, markdown, 'utf8');
        return undefined;
    }
    catch (error) {
        return error instanceof Error ? error.message : String(error);
    }
}

;// CONCATENATED MODULE: ./src/actions/summarising.ts


/** Adds to the job summary. What goes wrong with it is a warning: it changes no verdict. */
async function addSummary(facts, step) {
    const { environment, secrets, log } = step;
    const text = renderSummary(facts, (part, isCut) => secrets.show(part, isCut));
    const problem = await writeSummary(text, environment['GITHUB_STEP_SUMMARY']);
    if (problem)
        log.warning(`The job summary was not written: ${problem}`);
}


/***/ })

};
;