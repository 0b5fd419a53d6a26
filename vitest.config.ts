import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['contract/**/*.test.ts', 'server/**/*.test.ts', 'tools/**/*.test.ts', 'web/**/*.test.ts'],
    globalSetup: ['server/test/cluster.ts'],
    // Races of 200 rounds on a machine that is busy with other things: a limit for what hangs, not for what is slow.
    testTimeout: 240_000,
    hookTimeout: 120_000,
    // Two files at once fill two cores; more only makes each slower.
    maxWorkers: 2,
  },
})
