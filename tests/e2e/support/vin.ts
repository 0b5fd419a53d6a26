import { expect, type Profile } from './test.ts'

/** Retries once, because a look-up may time out on a busy machine. */
export async function verifyVin({ page, watch }: Pick<Profile, 'page' | 'watch'>) {
  watch.expects(/^GET \/vin\/\w+ 503$/)
  await expect(async () => {
    await page.getByRole('button', { name: 'Verify VIN' }).click()
    await expect(said(page)).toContainText('We found your car', { timeout: 8_000 })
  }).toPass()
}

/** The same for a VIN that is looked up as soon as it is complete. */
export async function looksUp(profile: Pick<Profile, 'page' | 'watch'>) {
  profile.watch.expects(/^GET \/vin\/\w+ 503$/)
  await expect(said(profile.page)).toBeVisible()
  if (!(await said(profile.page).textContent())?.startsWith('We found')) await verifyVin(profile)
}

const said = (page: Profile['page']) => page.getByText(/^We found your car|^Keyturn is out of reach/).first()
