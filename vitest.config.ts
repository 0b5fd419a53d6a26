import { defineConfig } from 'vitest/config'

const pure = [
  'contract/**/*.test.ts',
  'web/**/*.test.ts',
  'tools/**/*.test.ts',
  '{server,tests}/**/*.pure.test.ts',
]

/** Two lanes: pure tests need no database, process or thread; a file's name and place say in which it runs. */
export default defineConfig({
  test: {
    // Races of 200 rounds on a machine that is busy with other things: a limit for what hangs, not for what is slow.
    testTimeout: 240_000,
    hookTimeout: 120_000,
    // Two files that work fill two cores; one of three mostly waits, for a process or for time.
    maxWorkers: 3,
    // The server is loaded once a worker, not once a file: a file's house is its own all the same.
    isolate: false,
    tags: [
      {
        name: 'full',
        description: 'Takes long: run by `npm run test:full`, and whenever its file is named.',
      },
    ],
    // It changes what zod says, as the server and the web have it.
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
