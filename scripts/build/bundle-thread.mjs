// A worker thread that makes a bundle for each name that it receives. ncc blocks a thread for seconds.
import { parentPort } from 'node:worker_threads'
import { makeBundle } from './bundles.mjs'

parentPort.on('message', (name) => {
  void makeBundle(name).then((made) => parentPort.postMessage(made))
})
