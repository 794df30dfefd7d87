function leftOut(name) {
  const refuse = () => {
    throw new Error(`left out of this bundle: ${name}`)
  }
  return new Proxy(function () {}, { get: refuse, apply: refuse, construct: refuse })
}
const stub0 = leftOut('ProxyAgent')
const stub1 = leftOut('getExecOutput')
exports.__esModule = true
exports.ProxyAgent = stub0
exports.getExecOutput = stub1
