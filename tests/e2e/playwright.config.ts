import { defineConfig } from '@playwright/test'
import { findChromium } from '../../tools/chromium.mjs'

// Workers load this file again and reuse the result from the environment.
process.env.CHROMIUM ??= findChromium()

// Address bar suggestions load pages in each window, and used as much CPU as the pages under test.
// Chromium reads only the last list of disabled features, so Playwright's own are repeated.
const withoutFeatures = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results',
  globalSetup: './support/build-first.mjs',
  // Each worker runs its own server and database; two are enough to saturate a small machine.
  workers: 2,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // Catches hangs, not slowness.
  timeout: 240_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
  use: {
    actionTimeout: 15_000,
    navigationTimeout: 30_000,
    locale: 'en-US',
    timezoneId: 'America/Detroit',
    // Disables animations, so that no check runs during one.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: process.env.CHROMIUM,
      // Uses a fake camera.
      args: [`--disable-features=${withoutFeatures.join(',')}`, '--use-fake-device-for-media-stream'],
    },
    screenshot: 'only-on-failure',
    trace: 'off',
  },
})
