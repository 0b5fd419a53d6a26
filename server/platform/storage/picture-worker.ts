import { constants, setPriority } from 'node:os'
import { type Drawn, drawPicture } from './image-processing.ts'

/** More than any picture within our bounds has taken, and little enough for a small machine. */
const mostBytes = 700 * 1024 * 1024

/** Says when it is ready; then one picture in, what was drawn of it out. Whatever goes wrong ends the process. */
process.on('message', async ({ sent, into }: { sent: string; into: string }) => {
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() < mostBytes) return
    tell({ fault: 'PhotoUnreadable' }, () => process.exit())
  }, 20)
  const drawn = await drawPicture(sent, into)
  clearInterval(watch)
  tell(drawn)
})
// Whoever started it is gone.
process.on('disconnect', () => process.exit())
// Whoever waits for a page comes first.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
process.send?.('ready')

function tell(drawn: Drawn, then?: () => void): void {
  process.send?.(drawn, undefined, undefined, then)
}
