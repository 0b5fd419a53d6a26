import { defineConfig } from 'vitest/config'

const pure = [
  'contract/**/*.test.ts',
  'web/**/*.test.ts',
  'tools/**/*.test.ts',
  '{server,tests}/**/*.pure.test.ts',
]

/** Two projects, chosen by a file's name and folder. Pure tests need no database, process or thread. */
export default defineConfig({
  test: {
    // Catches hangs, not slowness: a race of 200 rounds is slow on a busy machine.
    testTimeout: 240_000,
    hookTimeout: 120_000,
    // One more than the two cores, because a file often waits for a process or a timer.
    maxWorkers: 3,
    // Each worker loads the server once for all its files. Each file still starts its own server.
    isolate: false,
    tags: [
      {
        name: 'full',
        description: 'Slow: run only by `npm run test:full`, or when the file is named.',
      },
    ],
    // Sets zod's error messages, as the server and the web do.
    setupFiles: ['contract/shared/field-sentences.ts'],
    projects: [
      { extends: true, test: { name: 'pure', include: pure } },
      {
        extends: true,
        test: {
          name: 'http',
          include: ['{server,tests}/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...pure],
          globalSetup: ['tests/support/database/cluster.ts'],
        },
      },
    ],
  },
})
