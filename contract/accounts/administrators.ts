import { z } from 'zod'
import { defineEndpoint } from '../shared/endpoint.ts'
import {
  enteredPassword,
  fieldTexts,
  id,
  isoTime,
  newPassword,
  okResponse,
  pageParams,
} from '../shared/fields.ts'
import { adminActs, adminRoles } from './admin-acts.ts'
import { administratorTexts } from './administrator-texts.ts'

const { fields: texts } = administratorTexts

/** The name that an administrator signs in with. */
export const adminUsername = z
  .string(texts.usernameFault)
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9][a-z0-9.@_+-]{2,99}$/, texts.usernameFault)
const adminName = z.string(texts.nameFault).trim().min(1, texts.nameFault).max(100, texts.nameFault)
const role = z.enum(adminRoles)
/** A code of the authenticator app, or a recovery code; spaces and dashes do not count. */
export const adminCode = z
  .string(texts.codeFault)
  .overwrite((code) => code.replace(/[\s-]/g, '').toLowerCase())
  .regex(/^([0-9]{6}|[a-z2-7]{16})$/, texts.codeFault)

/** The signed-in administrator. */
export const readMe = defineEndpoint('GET /admin/me', {
  callers: ['administrator'],
  adminAct: null,
  isOpenBeforeEnrollment: true,
  response: z.object({
    username: z.string(),
    role,
    /** The administrator of the settings has no row and cannot set up codes here. */
    isFromSettings: z.boolean(),
    hasCodes: z.boolean(),
    /** Everything else is closed until codes are set up. */
    mustEnroll: z.boolean(),
  }),
})
export type Me = z.output<typeof readMe.response>

/** Enters the password again for acts with great effect (R-accounts-58). */
export const confirmPassword = defineEndpoint('POST /admin/me/confirm', {
  callers: ['administrator'],
  adminAct: 'confirmedPassword',
  body: z.object({ password: enteredPassword }),
  response: okResponse,
  errors: ['ReauthenticationRequired', 'HashQueueFull'],
})

/** Makes a secret for an authenticator app; it counts once a code has confirmed it. */
export const startEnrollment = defineEndpoint('POST /admin/me/codes', {
  callers: ['administrator'],
  adminAct: null,
  isOpenBeforeEnrollment: true,
  response: z.object({ secret: z.string(), uri: z.string() }),
  errors: ['Forbidden', 'CodesAlreadySetUp'],
})

export const finishEnrollment = defineEndpoint('POST /admin/me/codes/confirm', {
  callers: ['administrator'],
  adminAct: 'enrolledCodes',
  isOpenBeforeEnrollment: true,
  body: z.object({ code: adminCode }),
  /** Shown once. */
  response: z.object({ recoveryCodes: z.array(z.string()) }),
  errors: ['Forbidden', 'CodesAlreadySetUp', 'InvalidAdminCode'],
})

export const administrator = z.object({
  _id: id,
  name: z.string(),
  username: z.string(),
  role,
  state: z.enum(['INVITED', 'EXPIRED', 'ACTIVE', 'DISABLED']),
  hasCodes: z.boolean(),
  isMe: z.boolean(),
})
export type ListedAdministrator = z.output<typeof administrator>

export const listAdministrators = defineEndpoint('GET /admin/administrators', {
  callers: ['administrator'],
  adminAct: 'viewedAdministrators',
  response: z.array(administrator),
})

const withInvitation = z.object({
  administrator,
  /** The link of a new invitation, shown once; it works for three days. */
  invitation: z.string().nullable(),
})

export const inviteAdministrator = defineEndpoint('POST /admin/administrators', {
  callers: ['operator'],
  adminAct: 'invitedAdministrator',
  needsConfirmation: true,
  body: z.object({ name: adminName, username: adminUsername, role }),
  response: withInvitation,
  status: 201,
  errors: ['NameTaken'],
})

export const administratorChanges = [
  'makeSupport',
  'makeOperator',
  'disable',
  'enable',
  'endSessions',
  'removeCodes',
  'inviteAgain',
] as const
export type AdministratorChange = (typeof administratorChanges)[number]

/** `inviteAgain` voids the password: the new link sets another. */
export const changeAdministrator = defineEndpoint('POST /admin/administrators/:administratorId', {
  callers: ['operator'],
  adminAct: 'changedRole',
  needsConfirmation: true,
  params: z.object({ administratorId: id }),
  body: z.object({ change: z.enum(administratorChanges) }),
  response: withInvitation,
  errors: ['NotFound', 'OwnAccount'],
})

/** Sets the first password, and signs in. */
export const acceptInvitation = defineEndpoint('POST /auth/admin/invitation', {
  callers: ['anyone'],
  body: z
    .object({
      code: z.string().max(200),
      password: newPassword,
      confirmPassword: z.string(fieldTexts.passwordsDiffer),
    })
    .refine((form) => form.password === form.confirmPassword, {
      path: ['confirmPassword'],
      message: fieldTexts.passwordsDiffer,
      when: () => true,
    }),
  response: okResponse,
  errors: ['InvalidInvitation', 'CommonPassword', 'HashQueueFull'],
})

const values = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).nullable()

export const adminEvent = z.object({
  _id: z.string(),
  at: isoTime,
  administrator: z.string(),
  /** Null for the administrator of the settings. */
  administratorId: id.nullable(),
  role,
  act: z.enum(adminActs),
  person: z.object({ _id: id, name: z.string() }).nullable(),
  subject: z.string().nullable(),
  before: values,
  after: values,
  ip: z.string(),
})
export type AdminEventEntry = z.output<typeof adminEvent>

/** `administrator`: an id, or `settings`. Newest first. */
export const listAdminEvents = defineEndpoint('GET /admin/events', {
  callers: ['administrator'],
  adminAct: 'viewedAdminEvents',
  query: pageParams.extend({
    administrator: z.union([z.literal('settings'), id]).optional(),
    person: id.optional(),
  }),
  response: z.array(adminEvent),
})
