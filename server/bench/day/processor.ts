import { readdirSync, readFileSync } from 'node:fs'

/** Processor seconds of a process and of all that it has started itself. Linux only. */
export function processorOf(pid: number): number {
  const own = statOf(pid)
  const others = readdirSync('/proc').flatMap((name) => {
    const one = /^\d+$/.test(name) ? statOf(Number(name)) : null
    return one && one.parent === pid ? [one] : []
  })
  // Those that have ended are counted with whoever started them.
  const ticks = (own ? own.ticks + own.ended : 0) + others.reduce((sum, one) => sum + one.ticks, 0)
  return ticks / 100
}

function statOf(pid: number): { parent: number; ticks: number; ended: number } | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').map(Number) ?? []
    const [, parent = 0] = fields
    const sum = (from: number) => (fields[from] ?? 0) + (fields[from + 1] ?? 0)
    return { parent, ticks: sum(11), ended: sum(13) }
  } catch {
    return null
  }
}
