import { expect } from 'vitest'

export async function fetchMetrics(address: string, token?: string): Promise<string> {
  const response = await fetch(address, token ? { headers: { authorization: `Bearer ${token}` } } : {})
  expect(response.status).toBe(200)
  return response.text()
}

type Line = { name: string; labels: Record<string, string>; value: number }

function linesOf(text: string): Line[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
      const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, of]) => [label, of])
      return { name, labels: Object.fromEntries(pairs), value: Number(value) }
    })
}

export const readMetric = (text: string, name: string, labels: Record<string, string> = {}) =>
  linesOf(text).find(
    (line) => line.name === name && Object.entries(labels).every(([label, of]) => line.labels[label] === of),
  )?.value

export const readLabels = (text: string, label: string, name?: string): string[] =>
  linesOf(text).flatMap((line) =>
    name === undefined || line.name === name ? (line.labels[label] ?? []) : [],
  )
