/** The roles of administrators: support reads, an operator also acts (R-accounts-53). */
export const adminRoles = ['SUPPORT', 'OPERATOR'] as const
export type AdminRole = (typeof adminRoles)[number]

/** Who signs in with ADMIN_PASSWORD, as people read it. */
export const settingsAdministratorName = 'The operator of this site'

/** What an administrator viewed, in the words of the list that shows it (R-accounts-56). */
const adminLooks = {
  viewedEmails: 'Viewed the mailbox of this site',
  viewedEmailFile: 'Viewed an email’s attachments',
  viewedEmailQueue: 'Viewed unsent emails',
  viewedWholesalers: 'Viewed the list of wholesalers',
  viewedListings: 'Viewed listings',
  viewedClaims: 'Viewed claims',
  viewedReports: 'Viewed reported messages',
  viewedDealers: 'Viewed the list of dealers',
  viewedDeliveries: 'Viewed deliveries',
  viewedDeskDeals: 'Viewed the deals of the dealer desk',
  viewedDeskDeal: 'Viewed a deal of the dealer desk',
  viewedDeals: 'Viewed signed deals',
  exportedDeals: 'Downloaded the list of signed deals',
  viewedDeal: 'Viewed a deal',
  viewedPackage: 'Viewed the documents of a deal',
  viewedAgreement: 'Viewed an agreement',
  viewedPaperwork: 'Viewed the paperwork of a deal',
  viewedPerson: 'Viewed contact details',
  viewedPeople: 'Searched for people',
  viewedAccount: 'Viewed a person’s account',
  viewedTrades: 'Viewed trades',
  viewedTradesOfPerson: 'Viewed a person’s trades',
  viewedTrade: 'Viewed the history of a trade',
  viewedAdministrators: 'Viewed the list of administrators',
  viewedAdminEvents: 'Viewed the audit log',
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
  handledReport: 'Marked a report as handled',
  addedDealer: 'Added a dealer',
  editedDealer: 'Changed a dealer',
  testedDealer: 'Sent a test event to a dealer',
  replayedDelivery: 'Sent a delivery again',
  actedAtDesk: 'Reported on a deal from the dealer desk',
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
