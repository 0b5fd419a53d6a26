import { execFileSync } from 'node:child_process'
import { onTestFinished } from 'vitest'

/** Makes a folder a disk of its own that is soon full; it goes after the test. Only root can, and only on Linux. */
export function mountSmall(folder: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder])
  onTestFinished(() => {
    execFileSync('umount', ['-l', folder])
  })
}
