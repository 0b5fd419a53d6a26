import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const texts: Record<string, string> = {
  'privacy.txt': '# Our Privacy\n\n## Data\nWe store\nyour name.\n',
  'terms.txt': '# Our Terms\r\n\r\nRead these first.\r\n\r\n## Use\r\n\r\nBe kind.\r\n \r\nBe honest.\r\n',
  'agreement.txt':
    '\ufeff# Our Agreement\n\nThe car is held for 72 hours.\n\n## Condition\n\nSold as is.\n\n## Law\n\nMaine’s law applies.\n',
}

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

/** Writes an operator's texts into a new folder, where null leaves a file out. */
export function createLegalTexts(changed: Record<string, string | Buffer | null> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'keyturn-legal-texts-'))
  folders.push(folder)
  for (const [name, text] of Object.entries({ ...texts, ...changed }))
    if (text !== null) writeFileSync(join(folder, name), text)
  return folder
}
