"use strict";
exports.id = 538;
exports.ids = [538];
exports.modules = {

/***/ 538:
/***/ ((__unused_webpack_module, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   makers: () => (/* binding */ makers)
/* harmony export */ });
/* harmony import */ var node_stream__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(7075);
/* harmony import */ var node_stream__WEBPACK_IMPORTED_MODULE_0___default = /*#__PURE__*/__webpack_require__.n(node_stream__WEBPACK_IMPORTED_MODULE_0__);
/* harmony import */ var node_zlib__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8522);
/* harmony import */ var node_zlib__WEBPACK_IMPORTED_MODULE_1___default = /*#__PURE__*/__webpack_require__.n(node_zlib__WEBPACK_IMPORTED_MODULE_1__);
/** Decoders of content encodings. */


/** What makes a decoder, by the name of its encoding (RFC 9110, section 8.4.1; zstd: RFC 8878). */
const makers = new Map([
    ['gzip', () => new Decoder(() => node_zlib__WEBPACK_IMPORTED_MODULE_1__.createGunzip())],
    ['x-gzip', () => new Decoder(() => node_zlib__WEBPACK_IMPORTED_MODULE_1__.createGunzip())],
    ['deflate', () => new Decoder(openInflate)],
    ['br', () => new Decoder(() => node_zlib__WEBPACK_IMPORTED_MODULE_1__.createBrotliDecompress())],
    ['zstd', () => new Decoder(() => node_zlib__WEBPACK_IMPORTED_MODULE_1__.createZstdDecompress(), { frames: true })],
]);
/**
 * `deflate` means the zlib format (RFC 9110, section 8.4.1.2), whose first byte has the method 8 in
 * its low bits. Many servers send raw deflate (RFC 1951), where these bits would be a stored block
 * with padding other than zeros, which no encoder writes.
 */
function openInflate(firstByte = 0) {
    return (firstByte & 0x0f) === 8 ? node_zlib__WEBPACK_IMPORTED_MODULE_1__.createInflate() : node_zlib__WEBPACK_IMPORTED_MODULE_1__.createInflateRaw();
}
/**
 * Node's decoders silently drop whatever follows the end of their format. Here a further frame is
 * decoded where the format has frames, and else such bytes are an error: an incomplete file must
 * not pass for a complete one. Padding with zeros is accepted.
 */
class Decoder extends node_stream__WEBPACK_IMPORTED_MODULE_0__.Transform {
    #open;
    #frames;
    #engine;
    #ended = false;
    constructor(open, { frames = false } = {}) {
        super();
        this.#open = open;
        this.#frames = frames;
    }
    _transform(chunk, _encoding, done) {
        if (this.#ended && chunk.every((byte) => byte === 0))
            done();
        else if (!this.#ended)
            this.#feed(this.#engine ?? this.#begin(chunk), chunk, done);
        else if (this.#frames)
            this.#feed(this.#begin(chunk), chunk, done);
        else
            done(new Error('bytes follow the end of its encoding'));
    }
    #feed(engine, chunk, done) {
        const before = engine.bytesWritten;
        engine.write(chunk, (error) => {
            // An engine that fails destroys this stream, too.
            if (error)
                return;
            const rest = chunk.subarray(engine.bytesWritten - before);
            if (rest.length === 0) {
                done();
                return;
            }
            this.#ended = true;
            const goOn = () => {
                this._transform(rest, 'binary', done);
            };
            // Its end may have come before this call.
            if (engine.readableEnded)
                goOn();
            else
                engine.once('end', goOn);
        });
    }
    _flush(done) {
        if (this.#ended) {
            done();
            return;
        }
        const engine = this.#engine ?? this.#begin(Buffer.alloc(0));
        engine.once('end', () => done());
        engine.end();
    }
    _read(size) {
        this.#engine?.resume();
        super._read(size);
    }
    _destroy(error, done) {
        this.#engine?.destroy();
        done(error);
    }
    #begin(chunk) {
        const engine = this.#open(chunk[0]);
        this.#engine = engine;
        this.#ended = false;
        engine.on('data', (decoded) => {
            if (!this.push(decoded))
                engine.pause();
        });
        engine.on('error', (error) => this.destroy(error));
        return engine;
    }
}


/***/ })

};
;