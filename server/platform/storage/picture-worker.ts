import { constants, setPriority } from 'node:os'
import { type ProcessedImage, processImage } from './image-processing.ts'

/** More than any accepted image needs, and small enough for a small machine. */
const maxMemoryBytes = 700 * 1024 * 1024

/** Sends `ready`, then one result per request. Any crash ends only this process. */
process.on('message', async ({ sent, into }: { sent: string; into: string }) => {
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() < maxMemoryBytes) return
    respond({ fault: 'PhotoUnreadable' }, () => process.exit())
  }, 20)
  const drawn = await processImage(sent, into)
  clearInterval(watch)
  respond(drawn)
})
// The parent process is gone.
process.on('disconnect', () => process.exit())
// Requests have priority over image processing.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
process.send?.('ready')

function respond(drawn: ProcessedImage, then?: () => void): void {
  process.send?.(drawn, undefined, undefined, then)
}
