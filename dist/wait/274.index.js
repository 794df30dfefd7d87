"use strict";
exports.id = 274;
exports.ids = [274];
exports.modules = {

/***/ 7274:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   collect: () => (/* binding */ collect)
/* harmony export */ });
/* harmony import */ var _errors_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(3916);
/* harmony import */ var _download_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4774);
/* harmony import */ var _status_refresh_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(6774);
/** From the links of a status record to the files of result and log. */



/**
 * Fetches both files side by side: a slow result must not let the log's link expire. Never
 * rejects. Source: docs/service.md, "Result and log links".
 */
async function collect(status, context) {
    const { check, clock, deadline, makeFolder } = context;
    const folder = await makeFolder().catch((error) => new Error((0,_errors_js__WEBPACK_IMPORTED_MODULE_0__/* .messageOf */ .bD)(error)));
    if (folder instanceof Error)
        return lostFiles(status, folder.message);
    const links = new Links(status, new _status_refresh_js__WEBPACK_IMPORTED_MODULE_1__/* .StatusRefresh */ .E({ check, clock, deadline }));
    const [result, log] = await Promise.all([
        (0,_download_js__WEBPACK_IMPORTED_MODULE_2__/* .download */ .RG)(links.of('result_url'), { folder, name: 'result' }, context),
        (0,_download_js__WEBPACK_IMPORTED_MODULE_2__/* .download */ .RG)(links.of('logs_url'), { folder, name: 'run', extension: '.log' }, context),
    ]);
    return { folder, result, log };
}
function lostFiles({ result_url, logs_url }, why) {
    const lost = (link) => link === null ? { kind: 'not-kept' } : { kind: 'unavailable', why };
    return { folder: undefined, result: lost(result_url), log: lost(logs_url) };
}
/** Gives each known link once, then asks for new ones. */
class Links {
    #refresh;
    #known;
    constructor({ result_url, logs_url }, refresh) {
        this.#refresh = refresh;
        this.#known = { result_url, logs_url };
    }
    of(name) {
        return async (signal) => {
            const known = this.#known[name];
            this.#known[name] = undefined;
            if (known !== undefined)
                return known;
            const fresh = (await this.#refresh.fresh(signal))[name];
            if (fresh === null)
                throw new Error('the service no longer has a link to it');
            return fresh;
        };
    }
}


/***/ })

};
;