import { expect, type Profile } from './test.ts'

/** Retries, because a look-up may time out on a busy machine. */
export async function verifyVin({ page, watch }: Pick<Profile, 'page' | 'watch'>) {
  watch.allowErrors(/^GET \/vin\/\w+ 503$/)
  await expect(async () => {
    await page.getByRole('button', { name: 'Verify VIN' }).click()
    await expect(lookupMessage(page)).toContainText('We found your car', { timeout: 8_000 })
  }).toPass()
}

/** Waits for the look-up of a VIN that starts when it is complete. */
export async function waitForLookup(profile: Pick<Profile, 'page' | 'watch'>) {
  profile.watch.allowErrors(/^GET \/vin\/\w+ 503$/)
  await expect(lookupMessage(profile.page)).toBeVisible()
  if (!(await lookupMessage(profile.page).textContent())?.startsWith('We found')) await verifyVin(profile)
}

const lookupMessage = (page: Profile['page']) =>
  page.getByText(/^We found your car|^Keyturn is unavailable/).first()
