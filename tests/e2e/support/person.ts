import { randomBytes } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'

export type Person = {
  firstName: string
  lastName: string
  name: string
  email: string
  phoneNumber: string
  password: string
}

/** Email and last name are unique, because tests share a server and its lists. */
export function aPerson(firstName: string, givenLastName: string): Person {
  const number = randomBytes(4).toString('hex')
  const lastName = `${givenLastName}-${hexToLetters(number)}`
  return {
    firstName,
    lastName,
    name: `${firstName} ${lastName}`,
    email: `${firstName}.${number}@example.com`.toLowerCase(),
    phoneNumber: '313-555-0142',
    password: `quiet harbour ${number}`,
  }
}

const hexToLetters = (hex: string) =>
  hex.replace(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 16)))

export async function fillIn(container: Page | Locator, fields: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) {
    await container.getByLabel(label, { exact: true }).fill(value)
  }
}

export const fillAccountForm = (container: Page | Locator, person: Person) =>
  fillIn(container, {
    'First Name': person.firstName,
    'Last Name': person.lastName,
    Email: person.email,
    'Phone Number': person.phoneNumber,
    Password: person.password,
    'Confirm Password': person.password,
  })

export async function signIn(page: Page, { email, password }: Pick<Person, 'email' | 'password'>) {
  await page.goto('/login')
  await fillIn(page, { Email: email, Password: password })
  await page.getByRole('button', { name: 'Log In' }).click()
}

export async function signOut(page: Page) {
  await page.getByRole('button', { name: 'My Account' }).click()
  await page.getByRole('menuitem', { name: 'Log Out' }).click()
  await page.waitForURL('**/login')
  // The URL changes before the server-rendered document arrives.
  await page.getByLabel('Password', { exact: true }).waitFor()
}
