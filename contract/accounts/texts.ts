import { refusals } from '../kit/refusal.ts'

/** Refusals of accounts and sessions; sentences from the error catalogue (1 s8) where it has one. */
export const accountRefusals = refusals({
  RegistrationFailed: [409, 'Sign up failed. Please try again.'],
  InvalidCredentials: [401, 'Invalid email or password.'],
  InvalidRefreshToken: [401, 'Please sign in again.'],
  InvalidAdminRefreshToken: [401, 'Please sign in as administrator again.'],
  InvalidVerificationCode: [400, 'Your email verification code is invalid or has expired.'],
  InvalidResetCode: [400, 'Your link has expired or is invalid.'],
  ReauthenticationRequired: [403, 'Please enter your current password to go on.'],
  CommonPassword: [400, 'This password is on lists of common passwords. Please choose another one.'],
  HashQueueFull: [503, 'Many people are signing in right now. Please try again in a moment.'],
})

/** What a person reads under a password that repeats their own name or address; the code is `CommonPassword`. */
export const personalPassword =
  'This password is too close to your name or email address. Please choose another one.'

/** The sentence of 429: how long is what a person needs to know. */
export const tooManyTries = (seconds: number): string =>
  `Too many tries. Please try again in ${seconds < 90 ? plural(Math.max(1, Math.ceil(seconds)), 'second') : plural(Math.ceil(seconds / 60), 'minute')}.`

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`

export const accountTexts = {
  product: 'Keyturn',
  login: {
    title: 'Log In',
    email: 'Email',
    password: 'Password',
    submit: 'Log In',
    forgot: 'Forgot password?',
    register: 'Create an account',
    back: 'Back',
    failed: 'Invalid email or password.',
    showPassword: 'Show password',
    hidePassword: 'Hide password',
  },
  register: {
    sellerTitle: 'Sell your car',
    buyerTitle: 'Buy a car',
    seller: 'Seller',
    buyer: 'Buyer',
    switcher: 'I want to',
    firstName: 'First Name',
    lastName: 'Last Name',
    email: 'Email',
    phoneNumber: 'Phone Number',
    password: 'Password',
    confirmPassword: 'Confirm Password',
    sellersVin: "Seller's VIN (optional)",
    submit: 'Create Account',
    failed: 'Sign up failed. Please try again.',
    terms: 'Terms of Service',
    privacy: 'Privacy Policy',
    agree: 'By creating an account you agree to our',
    and: 'and',
    haveAccount: 'Already have an account?',
    passwordHint: 'At least 8 characters.',
    sellerLead: 'List your car, share a link with your buyer, and sign together.',
    buyerLead: 'Agree with your seller, and go step by step to a signed sale.',
    logIn: 'Log In',
    back: 'Back',
  },
  verify: {
    waitingTitle: 'Verify your email',
    sentTo: 'We sent a verification link to',
    waitingHint: 'Open the link in that mail and this page moves on by itself. The link works for 24 hours.',
    resend: 'Resend',
    sent: (email: string) => `Email sent to ${email} successfully!`,
    sendFailed: 'An error occurred while sending the email. Please try again.',
    checking: 'Verifying your email…',
    title: 'Email verification',
    done: 'Your email has been verified successfully!',
    toPurchase: 'Continue With Purchase',
    toDashboard: 'Go To Your Dashboard',
    failed: 'Your email verification code is invalid or has expired.',
    email: 'Email',
    send: 'Resend',
    wrongAddress: 'Wrong address? Change it',
    newAddress: 'Your email address',
    changeAddress: 'Save',
    noMail: 'No mail yet? Look into the spam folder, or let us send it again.',
    noCode: 'This link holds no code. Ask for a new one here.',
    logOut: 'Log Out',
    sending: 'Sending...',
  },
  forgot: {
    title: 'Forgot password',
    lead: 'Tell us your email address and we send you a link to choose a new password.',
    email: 'Email',
    submit: 'Send Link',
    sent: (email: string) =>
      `Email sent to ${email} successfully! Check your inbox for further instructions.`,
    failed: 'An error occured. Please try again.',
    back: 'Back',
  },
  reset: {
    title: 'Reset password',
    password: 'Password',
    confirmPassword: 'Confirm Password',
    submit: 'Reset Password',
    done: 'Password reset successfully!',
    toLogin: 'Go To Log In',
    failed: 'An error occured. Please try again.',
    invalidTitle: 'Invalid Link',
    invalidText: 'Your link has expired or is invalid.',
    resend: 'Resend Link',
  },
  profile: {
    title: 'Your Profile',
    edit: 'Edit Profile',
    name: 'Name',
    email: 'Email',
    phone: 'Phone Number',
    firstName: 'First Name',
    lastName: 'Last Name',
    save: 'Save',
    cancel: 'Cancel',
    failed: 'An error occurred. Please try again.',
    saved: 'Your profile has been saved.',
    emailHint: 'A new address counts once you have opened the link that we send there.',
    pendingEmail: (email: string) => `We sent a link to ${email}. The new address counts once you open it.`,
  },
  settings: {
    title: 'Settings',
    changePassword: 'Change Your Password',
    currentPassword: 'Current Password',
    password: 'New Password',
    confirmPassword: 'Confirm Password',
    changed: 'Password Changed Successfully!',
    failed: 'An error occurred. Please try again.',
    tryAgain: 'Try Again',
    save: 'Change Password',
    cancel: 'Cancel',
    close: 'Close',
    reauthenticate: 'Please enter your current password to go on.',
    wrongPassword: 'This is not your current password.',
    passwordTitle: 'Password',
    passwordLead: 'Changing it signs out your other devices.',
    deleteTitle: 'Your account',
    deleteLead: 'Erases your personal data. This action is irreversible.',
    deleteAccount: 'Delete Account',
    deleteQuestion:
      'Are you sure you want to delete your account? Your personal data is erased. Agreements that both sides signed are kept for the other side. This action is irreversible.',
    delete: 'Delete',
  },
  admin: {
    title: 'In Development',
    username: 'Username',
    password: 'Password',
    submit: 'Log In',
    failed: 'Invalid username or password.',
    usernameShort: 'Username must contain at least 3 characters',
    signedInAs: 'Signed in as administrator',
    signOut: 'Log Out',
    mails: 'Development mailbox',
    noMails: 'No mail yet. Mails that Keyturn sends appear here.',
    mailsFailed: 'The mailbox could not be read. Please try again.',
    to: 'To',
    subject: 'Subject',
    open: 'Open',
    close: 'Close',
    refresh: 'Refresh',
    wholesalers: 'Wholesalers',
    noWholesalers: 'No wholesaler has registered yet.',
    wholesalersFailed: 'The wholesalers could not be read. Please try again.',
    waiting: 'Waiting for approval',
    approved: 'Approved',
    declined: 'Declined',
    approve: 'Approve',
    decline: 'Decline',
    unverified: 'Address not verified yet',
    lead: 'For the people who run this Keyturn.',
    toStart: 'Go to the start page',
    mailsLead: 'Without a mail server, what Keyturn sends is kept here. Its links work in this browser.',
    openLink: 'Open the link',
    openMail: (subject: string, to: string) => `Open "${subject}" to ${to}`,
    at: 'Sent',
    nobodyWaits: 'Nobody is waiting for approval.',
    signOutFailed: 'You are still signed in as administrator.',
    columns: { name: 'Name', email: 'Email', phone: 'Phone', state: 'State', actions: 'Actions' },
  },
  menu: {
    logOutFailed: 'You are still signed in.',
    label: 'My Account',
    purchaseDashboard: 'Purchase Dashboard',
    dashboard: 'Dashboard',
    tradeDashboard: 'Trade Dashboard',
    profile: 'Profile',
    help: 'Help',
    settings: 'Settings',
    logOut: 'Log Out',
  },
  landing: {
    logIn: 'Log In',
    getStarted: 'Get Started',
    downloadApp: 'Download App',
    createAccount: 'Create Free Account',
    signIn: 'Sign In',
  },
} as const

/** The pages without data: landing, help, privacy, terms. */
export const pageTexts = {
  footer: {
    label: 'About Keyturn',
    help: 'Help',
    privacy: 'Privacy Policy',
    tos: 'Terms of Service',
    contact: 'Contact',
    rights: 'Keyturn facilitates private sales. It is not a party to them.',
  },
  landing: {
    title: 'Sell your car to someone you trust',
    switcher: 'I am here to',
    selling: 'Sell a car',
    buying: 'Buy a car',
    picture: {
      label: 'A signed agreement: one car, one price, two signatures',
      lines: [
        { term: 'Vehicle', value: '2003 Honda Accord EX' },
        { term: 'Mileage', value: '98,400' },
        { term: 'Agreed price', value: '$9,500' },
      ],
      seller: 'Seller',
      buyer: 'Buyer',
    },
    sides: {
      selling: {
        headline: 'Sell your car to someone you trust.',
        lead: 'List it by its VIN, share a link or QR code with your buyer, and go together through a guided sale to an agreement that both of you sign.',
        claims: [
          { title: 'You keep 100% of the proceeds', text: 'Sellers pay no fees.' },
          { title: '8 to 15% higher prices', text: 'What private sellers get for their cars.' },
          {
            title: 'Held for 72 hours',
            text: 'One buyer, one price, one agreement. Nobody gets in between.',
          },
        ],
        stepsTitle: 'How selling works',
        steps: [
          { title: 'List the car by its VIN', text: 'Make, model, year and trim fill themselves in.' },
          { title: 'Share the link or the QR code', text: 'With the one person you mean to sell to.' },
          { title: 'Confirm your buyer and the price', text: 'You see every request before you decide.' },
          { title: 'Sign, and the deal is passed on', text: 'A dealer group partner takes it from there.' },
        ],
      },
      buying: {
        headline: 'Buy from a person you know.',
        lead: 'Open the link your seller shared, bring your trade-in and your wish for financing, and go step by step to an agreement that both of you sign.',
        claims: [
          { title: 'No platform fees', text: 'You pay the price you agreed on with your seller.' },
          { title: 'Tax credits in 46 states', text: 'Hand in a trade and pay less sales tax.' },
          {
            title: 'A figure within 3 hours',
            text: 'Wholesalers make an offer for your trade, tax credit included.',
          },
        ],
        stepsTitle: 'How buying works',
        steps: [
          { title: 'Open your seller’s link', text: 'See the car and who sells it before you sign up.' },
          { title: 'Say what you bring', text: 'A trade-in, a wish for financing, or neither.' },
          { title: 'Send your price', text: 'The seller confirms it, or you agree on another.' },
          { title: 'Sign, and the deal is passed on', text: 'With 300 dealer locations to complete it.' },
        ],
      },
    },
    faqTitle: 'Questions people ask first',
    faqs: [
      {
        question: 'What does Keyturn cost?',
        answer: 'Nothing for sellers, who keep 100% of the proceeds, and no platform fees for buyers.',
      },
      {
        question: 'Who signs with whom?',
        answer:
          'Seller and buyer sign with each other. A national dealer group partner then buys the car from the seller and resells it to the buyer. Keyturn only facilitates.',
      },
      {
        question: 'Can I hand in my old car?',
        answer:
          'Yes. Tell us about it, and wholesalers make an offer, usually within 3 hours. You accept it, reject it or name your own figure.',
      },
      {
        question: 'What are the 72 hours?',
        answer:
          'Once the seller has signed, the car is not sold to anybody else for 72 hours while the buyer completes the purchase.',
      },
    ],
    app: {
      title: 'On your phone',
      text: 'Keyturn runs in your phone’s browser. To keep it at hand, open this page there and choose “Add to Home Screen” in the browser’s menu.',
    },
    closing: { title: 'Ready when you are', text: 'An account takes two minutes.' },
    contact: {
      title: 'Contact',
      text: 'A question about a sale, or a listing of your car that is not yours? Write to us.',
      email: 'hello@keyturn.example',
    },
  },
  help: {
    title: 'Help',
    faqs: 'FAQs',
    items: [
      {
        question: 'What is Keyturn?',
        answer:
          'Keyturn takes the private sale of a used car from a shared link to an agreement that both sides sign. The seller lists the car by its VIN and shares a link or QR code; the buyer opens it and is guided through trade-in, financing, price and signature. Keyturn facilitates the sale and is not a party to it.',
      },
      {
        question: 'Why sell with Keyturn?',
        answer:
          'You choose your buyer and your price, pay no fees and keep 100% of the proceeds. Every request is in one place, and once you have confirmed a buyer both of you sign the same terms.',
      },
      {
        question: 'Why buy with Keyturn?',
        answer:
          'You know whom you buy from. You may bring a trade-in, for which wholesalers make offers, and a wish for financing. Once the seller has signed, the car is held for you for 72 hours.',
      },
    ],
  },
  privacy: {
    title: 'Privacy Policy',
    back: 'Back',
    placeholder: 'Placeholder text. Whoever runs this Keyturn puts their own policy here.',
    sections: [
      {
        title: 'What we keep',
        text: 'Lorem ipsum dolor sit amet, consectetur adipiscing elit. Integer posuere erat a ante venenatis, nec dapibus posuere velit aliquet. Cras mattis consectetur purus sit amet fermentum.',
      },
      {
        title: 'What we share',
        text: 'Donec ullamcorper nulla non metus auctor fringilla. Vestibulum id ligula porta felis euismod semper. Aenean lacinia bibendum nulla sed consectetur.',
      },
      {
        title: 'Your choices',
        text: 'Maecenas sed diam eget risus varius blandit sit amet non magna. Nullam quis risus eget urna mollis ornare vel eu leo. Etiam porta sem malesuada magna mollis euismod.',
      },
    ],
  },
  terms: {
    title: 'Terms of Service',
    back: 'Back',
    placeholder: 'Placeholder text. Whoever runs this Keyturn puts their own terms here.',
    sections: [
      {
        title: 'The service',
        text: 'Lorem ipsum dolor sit amet, consectetur adipiscing elit. Morbi leo risus, porta ac consectetur ac, vestibulum at eros. Praesent commodo cursus magna, vel scelerisque nisl consectetur et.',
      },
      {
        title: 'Your account',
        text: 'Fusce dapibus, tellus ac cursus commodo, tortor mauris condimentum nibh, ut fermentum massa justo sit amet risus. Aenean eu leo quam pellentesque ornare sem lacinia quam venenatis.',
      },
      {
        title: 'Sales between people',
        text: 'Cum sociis natoque penatibus et magnis dis parturient montes, nascetur ridiculus mus. Sed posuere consectetur est at lobortis. Duis mollis, est non commodo luctus, nisi erat porttitor ligula.',
      },
    ],
  },
} as const
