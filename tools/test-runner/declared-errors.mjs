import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { allEndpoints } from '../../contract/endpoints.ts'

// Lists declared error codes that no test server recorded in a response.

const [folder = ''] = process.argv.slice(2)
const noted = join(folder, 'refusals.txt')
const seen = new Set(existsSync(noted) ? readFileSync(noted, 'utf8').split('\n') : [])
const declared = allEndpoints.flatMap(({ name, errors = [] }) => errors.map((code) => `${name} ${code}`))
const unseen = declared.filter((one) => !seen.has(one))

console.log(`${declared.length - unseen.length} of ${declared.length} declared errors were seen`)
for (const one of unseen) console.log(`  never seen: ${one}`)
