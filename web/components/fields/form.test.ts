import { email, newPassword, personName } from '@keyturn/contract/shared/fields.ts'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createValidator } from './form.ts'

const registration = z
  .object({ firstName: personName, email, password: newPassword, confirmPassword: z.string() })
  .refine((given) => given.password === given.confirmPassword, {
    path: ['confirmPassword'],
    message: 'Passwords do not match.',
  })

const good = {
  firstName: 'Ana',
  email: 'ana@example.org',
  password: 'longenough',
  confirmPassword: 'longenough',
}

test('gives each invalid field its first error message', () => {
  expect(createValidator(registration)(good)).toEqual({})
  const wrong = { ...good, firstName: '', password: 'short', confirmPassword: 'short' }
  expect(createValidator(registration)(wrong)).toEqual({
    firstName: 'Your name is required.',
    password: 'Password must contain at least 8 characters',
  })
})

test('shows an error about two fields under the field that it names', () => {
  expect(createValidator(registration)({ ...good, confirmPassword: 'other' })).toEqual({
    confirmPassword: 'Passwords do not match.',
  })
})
