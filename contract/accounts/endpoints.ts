import { z } from 'zod'
import { call } from '../shared/endpoint.ts'
import {
  currentPassword,
  email,
  fieldTexts,
  givenPassword,
  id,
  isoTime,
  newPassword,
  ok,
  personName,
  phone,
} from '../shared/fields.ts'
import { normalizeVin } from '../shared/vin.ts'
import { homes, userTypes } from './rules.ts'
import { accountTexts } from './texts.ts'

export const userType = z.string().toUpperCase().pipe(z.enum(userTypes))

export const user = z.object({
  _id: id,
  email: z.string(),
  userType: z.enum(userTypes),
  firstName: z.string(),
  lastName: z.string(),
  phoneNumber: z.string(),
  verified: z.boolean(),
  /** A new address that has not been verified yet (R-accounts-13). */
  pendingEmail: z.string().nullable(),
  /** Wholesalers have a wholesaler's rights only once approved (R-accounts-1). */
  approved: z.boolean(),
  /** Where the logo and the sign-in lead; a configured address may start at /wholesaler without any rights there (R-accounts-3). */
  home: z.enum(homes),
})
export type User = z.output<typeof user>

export const person = z.object({
  _id: id,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  phoneNumber: z.string(),
})
export type Person = z.output<typeof person>

const samePasswords = (form: { password: string; confirmPassword: string }) =>
  form.password === form.confirmPassword
const differ = { path: ['confirmPassword'], message: fieldTexts.passwordsDiffer, when: () => true }

/** At most 17 characters and no minimum (decisions F10). */
const optionalVin = z
  .string(fieldTexts.vin)
  .overwrite(normalizeVin)
  .regex(/^[A-Z0-9]{0,17}$/, fieldTexts.vin)
  .optional()
const names = { firstName: personName, lastName: personName, email, phoneNumber: phone }

export const register = call('POST /auth/register', {
  who: ['anyone'],
  body: z
    .object({
      ...names,
      userType: userType.default('BUYER'),
      password: newPassword,
      confirmPassword: z.string(fieldTexts.passwordsDiffer),
      otherUserId: z.union([z.literal(''), id]).optional(),
      vin: optionalVin,
      /** The seller whose link led here, so that the mailed link leads back to the same car (R-accounts-8). */
      userId: z.union([z.literal(''), id]).optional(),
    })
    .refine(samePasswords, differ),
  answer: user,
  status: 201,
  refuses: ['RegistrationFailed', 'CommonPassword', 'HashQueueFull'],
  once: true,
})

export const login = call('POST /auth/login', {
  who: ['anyone'],
  body: z.object({ email, password: givenPassword }),
  answer: user,
  refuses: ['InvalidCredentials', 'HashQueueFull'],
})

/** The link is mailed to an owner whose password others are guessing at; it works once. */
export const loginByLink = call('POST /auth/login/link', {
  who: ['anyone'],
  body: z.object({ code: z.string().max(200) }),
  answer: user,
  refuses: ['InvalidLoginLink'],
})

/** The cookie that tells a browser's pages of an administrator's session in it; it gives no right. */
export const administratorMark = 'am'

export const adminLogin = call('POST /auth/admin/login', {
  who: ['anyone'],
  body: z.object({
    username: z.string().trim().min(3, accountTexts.admin.usernameShort).max(255),
    password: newPassword,
  }),
  answer: ok,
  refuses: ['InvalidCredentials'],
})

// These four are GETs but change the session, so another site's page must not be able to call them.
export const logout = call('GET /auth/logout', { who: ['anyone'], answer: ok, refuses: ['CsrfRejected'] })
export const adminLogout = call('GET /auth/admin/logout', {
  who: ['anyone'],
  answer: ok,
  refuses: ['CsrfRejected'],
})
export const refresh = call('GET /auth/refresh', {
  who: ['anyone'],
  answer: ok,
  refuses: ['CsrfRejected', 'InvalidRefreshToken'],
})
export const adminRefresh = call('GET /auth/admin/refresh', {
  who: ['anyone'],
  answer: ok,
  refuses: ['CsrfRejected', 'InvalidAdminRefreshToken'],
})

export const sendVerification = call('POST /auth/email/send', {
  who: ['anyone'],
  body: z.object({ email }),
  answer: z.object({ message: z.string() }),
})

export const verifyEmail = call('GET /auth/email/verify/:code', {
  who: ['anyone'],
  params: z.object({ code: z.string().max(200) }),
  answer: z.object({ message: z.string() }),
  refuses: ['InvalidVerificationCode'],
})

export const forgotPassword = call('POST /auth/password/forgot', {
  who: ['anyone'],
  body: z.object({ email }),
  answer: z.object({ message: z.string() }),
})

export const resetPassword = call('POST /auth/password/reset', {
  who: ['anyone'],
  body: z
    .object({
      password: newPassword,
      confirmPassword: z.string(fieldTexts.passwordsDiffer),
      verificationCode: z.string().max(200),
    })
    .refine(samePasswords, differ),
  answer: z.object({ message: z.string() }),
  refuses: ['InvalidResetCode', 'CommonPassword', 'HashQueueFull'],
})

export const changePassword = call('PATCH /auth/password/change', {
  who: ['signedIn'],
  body: z
    .object({
      password: newPassword,
      confirmPassword: z.string(fieldTexts.passwordsDiffer),
      changePasswordId: z.string().max(64),
      currentPassword,
    })
    .refine(samePasswords, differ),
  answer: z.object({ message: z.string() }),
  refuses: ['ReauthenticationRequired', 'CommonPassword', 'Forbidden', 'HashQueueFull'],
})

export const getUser = call('GET /user', { who: ['signedIn'], answer: user })

const presence = z.object({ isShown: z.boolean() })

/** Whether the other side of a deal sees when the caller has it open (R-deals-82). */
export const readPresence = call('GET /user/presence', { who: ['trader'], answer: presence })

export const showPresence = call('PUT /user/presence', { who: ['trader'], body: presence, answer: presence })

export const editUser = call('PATCH /user/edit', {
  who: ['signedIn'],
  /** Omitted fields stay as they are; a new address needs the current password or a fresh sign-in. */
  body: z.object({ ...names, currentPassword }).partial(),
  answer: user,
  refuses: ['ReauthenticationRequired', 'HashQueueFull'],
})

export const mail = z.object({
  _id: id,
  to: z.string(),
  subject: z.string(),
  html: z.string(),
  text: z.string(),
  hasFiles: z.boolean(),
  createdAt: isoTime,
  sentAt: isoTime.nullable(),
})
export type Mail = z.output<typeof mail>

export const listMails = call('GET /admin/mails', { who: ['administrator'], answer: z.array(mail) })

/** A wholesaler as the administrator sees them: pending while neither approved nor declined. */
export const wholesaler = user.extend({ declined: z.boolean(), createdAt: isoTime })
export type Wholesaler = z.output<typeof wholesaler>

export const listWholesalers = call('GET /admin/wholesalers', {
  who: ['administrator'],
  query: z.object({ approved: z.enum(['true', 'false']).optional() }),
  answer: z.array(wholesaler),
})

export const approveWholesaler = call('POST /admin/wholesalers/:userId/approve', {
  who: ['administrator'],
  params: z.object({ userId: id }),
  answer: wholesaler,
  refuses: ['NotFound'],
})

export const declineWholesaler = call('POST /admin/wholesalers/:userId/decline', {
  who: ['administrator'],
  params: z.object({ userId: id }),
  answer: wholesaler,
  refuses: ['NotFound'],
})
