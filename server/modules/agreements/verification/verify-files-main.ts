import { verifyFiles } from './verify-files.ts'

try {
  process.exitCode = await verifyFiles(process.argv.slice(2), (line) => process.stdout.write(`${line}\n`))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 2
}
