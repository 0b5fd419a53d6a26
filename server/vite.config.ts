import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { defineConfig } from 'vite'

const home = import.meta.dirname

// Threads need files of their own. In the sources they are called *-worker.ts and lie beside who starts them; built,
// everything lies in one folder, so the same relative address finds them there.
const workers = readdirSync(home, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('-worker.ts'))
  .map((path) => [basename(path, '.ts'), join(home, path)])

// The server, and what works beside it without the sources.
const commands = Object.fromEntries(
  ['main', 'commands/backup', 'commands/restore', 'commands/verify-agreements'].map((path) => [
    basename(path),
    join(home, `${path}.ts`),
  ]),
)

// They may not be there, and Vite would put an empty module in their place.
const optional = Object.keys(JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')).peerDependencies)

export default defineConfig({
  root: home,
  // Packages stay where npm put them, but for two that are hundreds of small files of which we use a few: built in, the
  // start takes a fifth less work and the process 5 MB less.
  ssr: { target: 'node', external: true, noExternal: [/^@keyturn\//, 'drizzle-orm', 'zod'] },
  build: {
    ssr: true,
    target: 'node20.19',
    outDir: join(home, '..', 'dist', 'server'),
    emptyOutDir: true,
    sourcemap: false,
    rolldownOptions: {
      external: optional,
      input: { ...commands, ...Object.fromEntries(workers) },
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
})
