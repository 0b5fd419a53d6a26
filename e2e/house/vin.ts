import { expect, type Profile } from './test.ts'

/** On a busy machine a look-up may time out; like a person who reads so under the field, this tries once more. */
export async function verifyVin({ page, watch }: Pick<Profile, 'page' | 'watch'>) {
  watch.expects(/^GET \/vin\/\w+ 503$/)
  const said = page.getByText(/^We found your car|^Keyturn is out of reach/)
  await expect(async () => {
    await page.getByRole('button', { name: 'Verify VIN' }).click()
    await expect(said.first()).toContainText('We found your car', { timeout: 8_000 })
  }).toPass()
}
