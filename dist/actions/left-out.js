function leftOut(name) {
  const refuse = () => {
    throw new Error(`left out of this bundle: ${name}`)
  }
  return new Proxy(function () {}, { get: refuse, apply: refuse, construct: refuse })
}
const stub0 = leftOut('BearerCredentialHandler')
const stub1 = leftOut('HttpClient')
const stub2 = leftOut('getExecOutput')
exports.__esModule = true
exports.BearerCredentialHandler = stub0
exports.HttpClient = stub1
exports.getExecOutput = stub2
