import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['contract/**/*.test.ts', 'server/**/*.test.ts', 'tools/**/*.test.ts', 'web/**/*.test.ts'],
    globalSetup: ['server/test/cluster.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Two files at once fill two cores; more only makes each slower.
    maxWorkers: 2,
  },
})
