/** The roles of administrators: support reads, an operator also acts (R-accounts-53). */
export const adminRoles = ['SUPPORT', 'OPERATOR'] as const
export type AdminRole = (typeof adminRoles)[number]

/** Who signs in with the password from the settings, as people read it. */
export const settingsAdministratorName = 'The operator of this site'

/** What an administrator looked at, in the words of the list that shows it (R-accounts-56). */
const adminLooks = {
  viewedEmails: 'Looked at the mailbox',
  viewedEmailFile: 'Looked at the files of an email',
  viewedEmailQueue: 'Looked at unsent emails',
  viewedWholesalers: 'Looked at the wholesalers',
  viewedListings: 'Looked at listings',
  viewedClaims: 'Looked at claims',
  viewedReports: 'Looked at reported messages',
  viewedDealers: 'Looked at the dealers',
  viewedDeliveries: 'Looked at deliveries',
  viewedDeskDeals: 'Looked at the deals of the dealer desk',
  viewedDeskDeal: 'Looked at a deal of the dealer desk',
  viewedDeals: 'Looked at signed deals',
  exportedDeals: 'Downloaded the list of signed deals',
  viewedDeal: 'Looked at a deal',
  viewedPackage: 'Looked at the documents of a deal',
  viewedAgreement: 'Looked at an agreement',
  viewedPaperwork: 'Looked at the paperwork of a deal',
  viewedPerson: 'Looked at contact details',
  viewedPeople: 'Looked for people',
  viewedAccount: 'Looked at an account',
  viewedTrades: 'Looked at trades',
  viewedTradesOfPerson: 'Looked at a person’s trades',
  viewedTrade: 'Looked at the history of a trade',
  viewedAdministrators: 'Looked at the administrators',
  viewedAdminEvents: 'Looked at the record of administrators',
} as const

/** What an administrator did. */
const adminChanges = {
  approvedWholesaler: 'Approved a wholesaler',
  declinedWholesaler: 'Declined a wholesaler',
  resentEmail: 'Sent an email again',
  suspendedPerson: 'Suspended an account',
  liftedSuspension: 'Lifted a suspension',
  endedPersonSessions: 'Ended a person’s sessions',
  removedListing: 'Removed a listing',
  keptListing: 'Kept a claimed listing',
  handledReport: 'Handled a report',
  addedDealer: 'Added a dealer',
  editedDealer: 'Changed a dealer',
  testedDealer: 'Sent a test to a dealer',
  replayedDelivery: 'Sent a delivery again',
  actedAtDesk: 'Answered a deal at the dealer desk',
  completedDeal: 'Completed a deal',
  movedTrade: 'Changed the state of a trade',
  signedIn: 'Signed in',
  signedOut: 'Signed out',
  confirmedPassword: 'Entered the password again',
  invitedAdministrator: 'Invited an administrator',
  acceptedInvitation: 'Accepted an invitation',
  changedRole: 'Changed the role of an administrator',
  disabledAdministrator: 'Disabled an administrator',
  enabledAdministrator: 'Enabled an administrator',
  endedSessions: 'Ended the sessions of an administrator',
  resetCodes: 'Removed the authenticator app of an administrator',
  enrolledCodes: 'Set up an authenticator app',
} as const

type AdminLook = keyof typeof adminLooks
export type AdminChange = keyof typeof adminChanges
export type AdminAct = AdminLook | AdminChange
export const adminActTexts: Record<AdminAct, string> = { ...adminLooks, ...adminChanges }
export const adminActs = Object.keys(adminActTexts) as [AdminAct]
