import { z } from 'zod'
import { defineEndpoint } from '../shared/endpoint.ts'
import {
  currentPassword,
  email,
  enteredPassword,
  fieldTexts,
  id,
  isoTime,
  newPassword,
  okResponse,
  personName,
  phone,
} from '../shared/fields.ts'
import { normalizeVin } from '../shared/vin.ts'
import { adminCode } from './administrators.ts'
import { homePaths, userTypes } from './rules.ts'
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
  /** A new email address that is not verified yet (R-accounts-13). */
  pendingEmail: z.string().nullable(),
  /** A wholesaler has a wholesaler's rights only after approval (R-accounts-1). */
  approved: z.boolean(),
  /**
   * The page that the logo and a sign-in lead to. It grants no rights: a configured address may
   * start at /wholesaler without a wholesaler's rights (R-accounts-3).
   */
  home: z.enum(homePaths),
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

/** At most 17 characters, no minimum (decisions F10). */
const optionalVin = z
  .string(fieldTexts.vin)
  .overwrite(normalizeVin)
  .regex(/^[A-Z0-9]{0,17}$/, fieldTexts.vin)
  .optional()
const names = { firstName: personName, lastName: personName, email, phoneNumber: phone }

export const register = defineEndpoint('POST /auth/register', {
  callers: ['anyone'],
  body: z
    .object({
      ...names,
      userType: userType.default('BUYER'),
      password: newPassword,
      confirmPassword: z.string(fieldTexts.passwordsDiffer),
      otherUserId: z.union([z.literal(''), id]).optional(),
      vin: optionalVin,
      /**
       * The seller who shared the link; the emailed link returns to the same car (R-accounts-8).
       */
      userId: z.union([z.literal(''), id]).optional(),
    })
    .refine(samePasswords, differ),
  response: user,
  status: 201,
  errors: ['RegistrationFailed', 'CommonPassword', 'HashQueueFull', 'AccountSuspended'],
  isIdempotent: true,
})

export const login = defineEndpoint('POST /auth/login', {
  callers: ['anyone'],
  body: z.object({ email, password: enteredPassword }),
  response: user,
  errors: ['InvalidCredentials', 'HashQueueFull', 'AccountSuspended'],
})

/** Signs in with a single-use link, emailed to an owner whose password is being guessed. */
export const loginByLink = defineEndpoint('POST /auth/login/link', {
  callers: ['anyone'],
  body: z.object({ code: z.string().max(200) }),
  response: user,
  errors: ['InvalidLoginLink', 'AccountSuspended'],
})

/** Cookie that tells pages that an administrator is signed in. It grants no rights. */
export const administratorMarkerCookie = 'am'

export const adminLogin = defineEndpoint('POST /auth/admin/login', {
  callers: ['anyone'],
  body: z.object({
    username: z.string().trim().min(3, accountTexts.admin.usernameShort).max(255),
    password: newPassword,
    /** The code of the authenticator app, where one is set up. */
    code: adminCode.optional(),
  }),
  response: okResponse,
  errors: ['InvalidCredentials', 'AdminCodeRequired', 'InvalidAdminCode', 'HashQueueFull'],
})

// The next four are GETs but change the session, so cross-site requests must be rejected.
export const logout = defineEndpoint('GET /auth/logout', {
  callers: ['anyone'],
  response: okResponse,
  errors: ['CsrfRejected'],
})
export const adminLogout = defineEndpoint('GET /auth/admin/logout', {
  callers: ['anyone'],
  response: okResponse,
  errors: ['CsrfRejected'],
})
export const refresh = defineEndpoint('GET /auth/refresh', {
  callers: ['anyone'],
  response: okResponse,
  errors: ['CsrfRejected', 'InvalidRefreshToken', 'AccountSuspended'],
})
export const adminRefresh = defineEndpoint('GET /auth/admin/refresh', {
  callers: ['anyone'],
  response: okResponse,
  errors: ['CsrfRejected', 'InvalidAdminRefreshToken'],
})

export const sendVerification = defineEndpoint('POST /auth/email/send', {
  callers: ['anyone'],
  body: z.object({ email }),
  response: z.object({ message: z.string() }),
})

export const verifyEmail = defineEndpoint('GET /auth/email/verify/:code', {
  callers: ['anyone'],
  params: z.object({ code: z.string().max(200) }),
  response: z.object({ message: z.string() }),
  errors: ['InvalidVerificationCode'],
})

export const forgotPassword = defineEndpoint('POST /auth/password/forgot', {
  callers: ['anyone'],
  body: z.object({ email }),
  response: z.object({ message: z.string() }),
})

export const resetPassword = defineEndpoint('POST /auth/password/reset', {
  callers: ['anyone'],
  body: z
    .object({
      password: newPassword,
      confirmPassword: z.string(fieldTexts.passwordsDiffer),
      verificationCode: z.string().max(200),
    })
    .refine(samePasswords, differ),
  response: z.object({ message: z.string() }),
  errors: ['InvalidResetCode', 'CommonPassword', 'HashQueueFull', 'AccountSuspended'],
})

export const changePassword = defineEndpoint('PATCH /auth/password/change', {
  callers: ['signedIn'],
  body: z
    .object({
      password: newPassword,
      confirmPassword: z.string(fieldTexts.passwordsDiffer),
      changePasswordId: z.string().max(64),
      currentPassword,
    })
    .refine(samePasswords, differ),
  response: z.object({ message: z.string() }),
  errors: ['ReauthenticationRequired', 'CommonPassword', 'Forbidden', 'HashQueueFull', 'AccountSuspended'],
})

export const getUser = defineEndpoint('GET /user', {
  callers: ['signedIn'],
  scope: 'profile:read',
  response: user,
})

const presence = z.object({ isShown: z.boolean() })

/** Reads whether the other party of a deal sees that the caller has it open (R-deals-82). */
export const readPresence = defineEndpoint('GET /user/presence', { callers: ['trader'], response: presence })

export const setPresenceShown = defineEndpoint('PUT /user/presence', {
  callers: ['trader'],
  body: presence,
  response: presence,
})

export const editUser = defineEndpoint('PATCH /user/edit', {
  callers: ['signedIn'],
  /** Omitted fields stay unchanged. A new address needs the current password or a fresh sign-in. */
  body: z.object({ ...names, currentPassword }).partial(),
  response: user,
  errors: ['ReauthenticationRequired', 'HashQueueFull'],
})

export const mailboxEmail = z.object({
  _id: id,
  to: z.string(),
  subject: z.string(),
  html: z.string(),
  text: z.string(),
  hasFiles: z.boolean(),
  createdAt: isoTime,
  sentAt: isoTime.nullable(),
})
export type MailboxEmail = z.output<typeof mailboxEmail>

/** For operators only: the emails have links that sign in and reset passwords. */
export const listEmails = defineEndpoint('GET /admin/mails', {
  callers: ['operator'],
  adminAct: 'viewedEmails',
  response: z.array(mailboxEmail),
})

/** A wholesaler as an administrator sees them: pending until they are approved or declined. */
export const wholesaler = user.extend({ declined: z.boolean(), createdAt: isoTime })
export type Wholesaler = z.output<typeof wholesaler>

export const listWholesalers = defineEndpoint('GET /admin/wholesalers', {
  callers: ['administrator'],
  adminAct: 'viewedWholesalers',
  query: z.object({ approved: z.enum(['true', 'false']).optional() }),
  response: z.array(wholesaler),
})

export const approveWholesaler = defineEndpoint('POST /admin/wholesalers/:userId/approve', {
  callers: ['operator'],
  adminAct: 'approvedWholesaler',
  params: z.object({ userId: id }),
  response: wholesaler,
  errors: ['NotFound'],
})

export const declineWholesaler = defineEndpoint('POST /admin/wholesalers/:userId/decline', {
  callers: ['operator'],
  adminAct: 'declinedWholesaler',
  params: z.object({ userId: id }),
  response: wholesaler,
  errors: ['NotFound'],
})
