"use strict";
exports.id = 318;
exports.ids = [318];
exports.modules = {

/***/ 318:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  findCause: () => (/* binding */ findCause),
  mostOfLog: () => (/* binding */ mostOfLog)
});

// EXTERNAL MODULE: ./src/cut.ts
var cut = __webpack_require__(4395);
;// CONCATENATED MODULE: ./src/execution/log-lines.ts
// More than any traceback needs; it bounds the work on a log of any size or shape.
const mostCharacters = 1024 * 1024;
const longestLine = 2_000;
const log_lines_escape = String.fromCharCode(0x1b);
const colour = new RegExp(`${log_lines_escape}\\[[0-?]*[ -/]*[@-~]`, 'g');
const timestamp = /^\s?\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?\]?(?: [-|:])?(?: |$)/;
const bracketedLevel = /^\[(?:trace|debug|info|notice|warn|warning|error|critical|fatal)\](?: ?[-|:])?(?: |$)/i;
// In capitals only: `Error: boom` is the message itself.
const bareLevel = /^(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL)(?: ?[-|:])?(?: |$)/;
/** The last lines of a log, oldest first. */
function readLogLines(log) {
    return log
        .slice(-mostCharacters)
        .split(/\r\n|\n|\r/)
        .map(readLine);
}
function readLine(line) {
    const levelled = line.slice(0, longestLine).replace(colour, '').replace(timestamp, '');
    return { levelled, text: levelled.replace(bracketedLevel, '').replace(bareLevel, '') };
}

;// CONCATENATED MODULE: ./src/execution/traceback.ts
// Also the two frames' forms of a SyntaxError, which names no function.
const frameLine = /^([\s|]{0,200})File "([^"]{1,1000})", line (\d{1,9})(?:, in .*)?$/;
const library = /(?:^|[\\/])(?:site-packages|dist-packages|lib[\\/]python\d[\d.]*t?|python\d+[\\/]lib)[\\/]|^</i;
/**
 * The last Python traceback of a log. It is found by its last frame, so that it counts even where
 * its heading is cut off, is chained to others, or never was (a SyntaxError of the main file).
 */
function findTraceback(lines) {
    const last = lines.findLastIndex(({ text }) => frameLine.test(text));
    const [, margin = ''] = frameLine.exec(lines[last]?.text ?? '') ?? [];
    // Exception groups draw a bar beside what belongs to them.
    const barred = margin.includes('|');
    const unbar = (text) => (barred ? text.replace(/^\s*\| ?/, '') : text);
    if (last === -1)
        return undefined;
    const message = readMessage(lines.slice(last + 1).map(({ text }) => unbar(text)), indentation(unbar(lines[last]?.text ?? '')));
    const frames = readFrames(lines.slice(0, last + 1), unbar);
    const frame = frames.find(({ file }) => !library.test(file)) ?? frames[0];
    return message === undefined || frame === undefined ? undefined : { message, frame };
}
/** The first line that is indented less than the frames; with the next, where it says nothing. */
function readMessage(lines, frameIndentation) {
    const at = lines.findIndex((line) => line.trim() && indentation(line) < frameIndentation);
    const message = lines[at]?.trim();
    if (message === undefined || message.startsWith('+--'))
        return undefined;
    if (!/^[\w.]+:$/.test(message))
        return message;
    const next = lines.slice(at + 1, at + 5).find((line) => line.trim());
    return next === undefined ? message : `${message} ${next.trim()}`;
}
/** The frames, innermost first, up to the first line that belongs to none. */
function readFrames(lines, unbar) {
    const frames = [];
    for (const { text } of lines.toReversed()) {
        const [, , file, line] = frameLine.exec(text) ?? [];
        if (file !== undefined)
            frames.push({ file, line: Number(line) });
        else if (indentation(unbar(text)) === 0 && text.trim())
            break;
    }
    return frames;
}
function indentation(text) {
    return text.length - text.trimStart().length;
}

;// CONCATENATED MODULE: ./src/execution/cause.ts
/** Why a run failed, as its log tells. */



/** Bytes at the end of a log that are read for the cause. */
const mostOfLog = 1024 * 1024;
const longestCause = 1_000;
const failing = /(?:^|[^a-z])(?:error|fatal|panic|exception|critical|killed|failed|failure|out of memory|oom|segmentation fault|core dumped|abort(?:ed)?|traceback)(?![a-z])|\w(?:Error|Exception)\b/i;
const fine = /\b(?:no|0|zero|without(?: any)?) (?:errors?|failures?|exceptions?)\b|\b(?:errors?|failed|failures?)\s?[:=]\s?(?:0|none|false|null)\b/i;
const harmlessLevel = /^[^a-z]*(?:trace|debug|info|notice)\b/i;
const stackFrame = /^\s*(?:at |\.{3} \d+ (?:more|common)|File "|goroutine \d|created by )/;
/**
 * The line that tells best why a run failed: the last line of the last Python traceback, with the
 * file and line it came from; else the last line that reads like an error; else the last line.
 * `logTail`: the end of the log, of any size; its last MiB is read.
 */
function findCause(logTail) {
    const lines = readLogLines(logTail);
    const traceback = findTraceback(lines);
    if (traceback)
        return { text: (0,cut/* cut */.Jj)(traceback.message, longestCause), ...traceback.frame };
    const told = lines.findLast(readsLikeError);
    if (told)
        return { text: (0,cut/* cut */.Jj)(told.text.trim(), longestCause) };
    const last = lines.findLast(({ text }) => text.trim());
    return last && { text: (0,cut/* cut */.Jj)(last.text.trim(), longestCause), isLastLine: true };
}
function readsLikeError({ text, levelled }) {
    if (!text.trim() || stackFrame.test(text))
        return false;
    return failing.test(levelled) && !harmlessLevel.test(levelled) && !fine.test(text);
}


/***/ })

};
;