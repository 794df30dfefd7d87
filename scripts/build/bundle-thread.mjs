// A thread that makes bundles, one for each name that it is sent: ncc keeps it busy for seconds.
import { parentPort } from 'node:worker_threads'
import { makeBundle } from './bundles.mjs'

parentPort.on('message', (name) => {
  void makeBundle(name).then((made) => parentPort.postMessage(made))
})
