function leftOut(name) {
  const refuse = () => {
    throw new Error(`left out of this bundle: ${name}`)
  }
  return new Proxy(function () {}, { get: refuse, apply: refuse, construct: refuse })
}
const stub0 = leftOut('ProxyAgent')
const stub1 = leftOut('default')
const stub2 = leftOut('defaults')
const stub3 = leftOut('getOctokit')
const stub4 = leftOut('requestLog')
const stub5 = leftOut('retry')
export { stub0 as ProxyAgent, stub1 as default, stub2 as defaults, stub3 as getOctokit, stub4 as requestLog, stub5 as retry }
