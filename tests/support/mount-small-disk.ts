import { execFileSync } from 'node:child_process'
import { onTestFinished } from 'vitest'

/** Mounts a disk of 256 kB on a folder until the test ends. Requires root and Linux. */
export function mountSmallDisk(folder: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder])
  onTestFinished(() => {
    execFileSync('umount', ['-l', folder])
  })
}
