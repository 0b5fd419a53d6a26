import { parentPort } from 'node:worker_threads'
import { drawFlyer, type Flyer } from './flyer-pdf.ts'

/** Says when it is ready; then one flyer in, its bytes out. Whatever goes wrong ends the thread: its owner starts another. */
parentPort?.on('message', async (flyer: Flyer) =>
  parentPort?.postMessage(new Uint8Array(await drawFlyer(flyer))),
)
parentPort?.postMessage('ready')
