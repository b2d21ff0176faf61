import { CLIP_RESTORE, STILL_RESTORE } from '@guise/contract/ai-tasks/forms.ts';
import type { RestoreOptions } from '@guise/contract/work.ts';
import { AI_TASKS_LIMITS } from '@guise/contract/limits.ts';
import { MAX_BOOST, PROTOCOL_NAMES } from '@guise/engine/networks/protocols.ts';
import { GUISE_VERSION } from '@guise/contract/version.ts';
import type { FaceMap } from './commands/swap/swap-options.ts';
import { Argument, Command, InvalidArgumentError, Option } from 'commander';

// Each command's module is imported when it runs, so that `guise --help` does not wait for the
// engine or the database client.

/** Form of a whole number in digits. Refuses `1e3` and `0x10`, which `Number` accepts. */
const WHOLE_NUMBER = /^-?\d+$/;

/** Form of a decimal number without a sign or an exponent. */
const DECIMAL_NUMBER = /^(\d+(\.\d*)?|\.\d+)$/;

/** Declaration of all commands. docs/cli.md is generated from it. */
export const program = new Command('guise')
  .description('Swaps faces in photos, videos and GIFs, on this machine.')
  .version(GUISE_VERSION)
  .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'guise: ')) })
  .exitOverride();

program
  .command('start')
  .description('start the service: PostgreSQL, the API, the dashboard and a worker; Ctrl-C stops it')
  .addArgument(
    new Argument('[part]', 'for several machines with one DATABASE_URL: only this part')
      .choices(['all', 'api', 'worker'])
      .default('all'),
  )
  .action(async (part) => {
    if (part === 'api') await import('@guise/server/main/server.ts');
    else if (part === 'worker') await import('@guise/server/main/worker.ts');
    else await import('@guise/server/main/all-in-one.ts');
  });

program
  .command('migrate')
  .description('update the tables in DATABASE_URL to this version; `guise start` without a part does it, too')
  .action(async () => {
    await import('@guise/server/main/migrate.ts');
  });

program
  .command('prune')
  .description('delete binaries that npm installed for other systems or that this Node.js makes needless')
  .option('--json', 'print as JSON')
  .action(async (options) => {
    const { prune } = await import('./commands/prune.ts');
    await prune(options);
  });

const swapCommand = program.command('swap');
swapCommand
  .usage('[options] <source> <target>\n       guise swap [options] <target> --map <n=face>')
  .description('put the face of SOURCE onto TARGET; works without the service')
  .argument(
    '<source>',
    'photo of the person whose face to take (the largest face); with --map, this is TARGET',
  )
  .argument('[target]', 'photo, video or GIF that gets this face; or a folder, for all photos in it')
  .requiredOption(
    '-o, --output <file>',
    'where to write the result: .png, .jpg or .webp; .mp4, .webm, .mov or .gif for a video; a folder for a folder',
  )
  .option('--force', 'replace the output if it exists; never one of the inputs')
  .option(
    '--source <file>',
    `another photo of the same person, for a better likeness; use it up to ${AI_TASKS_LIMITS.additionalSourceImages} times`,
    (file: string, before: readonly string[] = []) => [...before, file],
  )
  .option(
    '--face <n>',
    'which face of a photo to change, as `guise detect` numbers them from 0 (default: the largest)',
    index,
  )
  .option(
    '--map <n=face>',
    'for several people in TARGET: FACE is the photo for face N of a photo, or person N of a video or GIF, as ' +
      `\`guise detect\` numbers them from 0; use it once for each, up to ${AI_TASKS_LIMITS.groupFaces} times`,
    mapping,
  )
  .option(
    '--face-restore <n>',
    `how much detail to recover in the swapped face, 0 (off) to 1 ${defaults('faceRestoreVisibility')}`,
    zeroToOne,
  )
  .option(
    '--restore <n>',
    `how much of TARGET's light, grain and sharpness to keep, 0 (off) to 1 ${defaults('restoreVisibility')}`,
    zeroToOne,
  )
  .addOption(
    new Option(
      '--quality <quality>',
      'resolution of a video result: its short side has at most so many pixels',
    )
      .choices(['720p', '1080p'])
      .default('1080p'),
  )
  .option(
    '--start <seconds>',
    'for a video or GIF: start of the part to swap (default: the beginning)',
    seconds,
  )
  .option('--end <seconds>', 'for a video or GIF: end of the part to swap (default: the end)', seconds)
  .option(
    '--engine <name>',
    'what draws the faces: a network that you have added with `guise models add` (default: mesh)',
  )
  .option(
    '--restorer <name>',
    'a network that you have added, which makes the swapped face sharper, as much as --face-restore says',
  )
  .option(
    '--masker <name>',
    "a network that you have added, which says what hides a face, beside guise's own; use it several times",
    (name: string, before: readonly string[] = []) => [...before, name],
  )
  .option(
    '--label',
    'put a visible label, "AI face swapped", on the result; GUISE_LABEL=always puts it on every result',
  )
  .option('--json', 'print a receipt with timings as JSON')
  .addHelpText(
    'after',
    '\nExamples:\n  guise swap me.jpg painting.png -o out.png\n  guise swap me.jpg talk.mp4 -o out.mp4' +
      '\n  guise swap me.jpg talk.mp4 -o out.mp4 --start 2 --end 9.5' +
      '\n  guise swap talk.mp4 -o out.mp4 --map 0=ada.jpg --map 1=bob.jpg' +
      '\n  guise swap team.jpg -o out.jpg --map 0=ada.jpg --map 3=bob.jpg' +
      '\n  guise swap me.jpg holiday/ -o swapped/' +
      '\n  guise swap me.jpg painting.png -o out.png --source me-left.jpg --source me-laughing.jpg',
  )
  .action(async (source, target, options) => {
    if (options.map !== undefined) {
      if (target !== undefined) swapCommand.error('error: with --map, give only one file: the target.');
      const { swapMapped } = await import('./commands/swap/swap-mapped.ts');
      await swapMapped(source, { ...options, map: options.map });
      return;
    }
    if (target === undefined) swapCommand.error("error: missing required argument 'target'");
    const { swap } = await import('./commands/swap/swap.ts');
    await swap(source, target, options);
  });

program
  .command('detect')
  .description(
    'list the faces in an image, numbered from left to right, or the people in a video or GIF, numbered by their presence; works without the service',
  )
  .argument('<file>', 'a picture, video or GIF')
  .option('--json', 'print boxes, scores and head poses as JSON')
  .action(async (file, options) => {
    const { detect } = await import('./commands/detect.ts');
    await detect(file, options);
  });

program
  .command('demo')
  .description('swap two computer-generated sample faces, to try guise without a photo')
  .option('-o, --output <dir>', 'folder for source, target and result', 'guise-demo')
  .option('--force', 'replace these files if they exist')
  .option('--json', 'print the receipt as JSON')
  .action(async (options) => {
    const { demo } = await import('./commands/demo.ts');
    await demo(options);
  });

program
  .command('verify')
  .description(
    'say how FILE was made: its content credentials (C2PA) and its XMP mark; works without the service',
  )
  .argument('<file>', 'a picture, video or GIF')
  .option('--json', 'print as JSON')
  .addHelpText(
    'after',
    '\nExit code 0: the file carries content credentials, and nothing in it has changed since it was signed.' +
      '\nThe JSON is what POST /api/ai-tasks/verify answers.',
  )
  .action(async (file, options) => {
    const { verify } = await import('./commands/verify.ts');
    await verify(file, options);
  });

program
  .command('doctor')
  .description('check whether this machine has what guise needs, and say what to do if not')
  .option('--json', 'print as JSON')
  .addHelpText('after', '\nExit code 1: something is missing.')
  .action(async (options) => {
    const { doctor } = await import('./commands/doctor.ts');
    await doctor(options);
  });

const models = program
  .command('models')
  .description('the built-in models, and networks of your own that swap faces; works without the service');

models
  .command('list', { isDefault: true })
  .description('list them, and make those built-in models that are missing or damaged')
  .option('--json', 'print as JSON')
  .action(async (options) => {
    const { listModels } = await import('./commands/models/list.ts');
    await listModels(options);
  });

models
  .command('add')
  .description('add a network of yours, an ONNX file; guise ships none and fetches none')
  .argument('<file>', 'the ONNX file, which is tried in a process without rights and then copied')
  .option('--i-have-the-right-to-use-it', 'your word that its licence lets you use it; it is recorded')
  .option('--name <name>', 'name for `guise swap --engine` (default: that of the file)')
  .addOption(
    new Option('--protocol <protocol>', 'how the network is fed, if its graph fits several').choices(
      PROTOCOL_NAMES,
    ),
  )
  .option('--recogniser <name>', 'network that describes the source for it, if you have added several')
  .option('--converter <name>', 'network that converts the description for it, if you have added several')
  .option('--matrix <file>', 'for an inswapper whose file lost its matrix: that matrix, such as emap.npy')
  .option('--boost <n>', 'enlarge its crop 1 to 4 times, for finer faces and n x n times the work', boost)
  .option('--json', 'print as JSON')
  .addHelpText(
    'after',
    '\nExamples:\n  guise models add arcface.onnx --i-have-the-right-to-use-it' +
      '\n  guise models add swapper.onnx --name mine --i-have-the-right-to-use-it' +
      '\n  guise swap me.jpg painting.png -o out.png --engine mine',
  )
  .action(async (file, options) => {
    const { addModel } = await import('./commands/models/add.ts');
    await addModel(file, options);
  });

models
  .command('test')
  .description('swap the sample faces with a network, or with every engine, and compare')
  .argument('[name]', 'the network (default: the built-in engine and every network that swaps faces)')
  .option('--report <dir>', 'folder for a page with the pictures')
  .option('--json', 'print as JSON')
  .action(async (name, options) => {
    const { testModels } = await import('./commands/models/test.ts');
    await testModels(name, options);
  });

models
  .command('remove')
  .description('delete a network that you have added')
  .argument('<name>', 'the network')
  .option('--json', 'print as JSON')
  .action(async (name, options) => {
    const { removeModel } = await import('./commands/models/remove.ts');
    await removeModel(name, options);
  });

const account = program
  .command('account')
  .description('accounts, credits and keys; works with or without a running service');

account
  .command('create')
  .description('create an account with an API key, which is shown only once')
  .requiredOption('--email <email>', 'address of the account')
  .option('--plan <plan>', 'free, pro or enterprise', 'free')
  .option('--credits <n>', 'credits to start with', wholeNumber, 0)
  .option('--name <name>', 'name of the person or company', '')
  .option('--unverified', 'leave the address unverified')
  .option(
    '--owner',
    "make this account the owner, who can open the operator's page; an installation has one owner",
  )
  .option('--json', 'print as JSON')
  .action(async (options) => {
    const { createAccountCommand } = await import('./commands/account-create.ts');
    await createAccountCommand(options);
  });

account
  .command('show')
  .description('show the plan, credits, keys and webhook secret of an account')
  .requiredOption('--email <email>', 'address of the account')
  .option('--json', 'print as JSON')
  .action(async (options) => {
    const { showAccountCommand } = await import('./commands/account-show.ts');
    await showAccountCommand(options);
  });

account
  .command('credit')
  .description('give credits to an account, or take available ones back with a negative amount')
  .requiredOption('--email <email>', 'address of the account')
  .requiredOption('--amount <n>', 'credits, not 0', wholeNumber)
  .option('--note <text>', "reason, which the account's user sees on the page Usage", '')
  .option('--json', 'print as JSON')
  .action(async (options) => {
    const { creditAccountCommand } = await import('./commands/account-credit.ts');
    await creditAccountCommand(options);
  });

account
  .command('key')
  .description('make another API key, which is shown only once; or revoke a key')
  .requiredOption('--email <email>', 'address of the account')
  .option('--name <name>', 'what the key is for', 'key')
  .option('--revoke <id>', 'revoke this key (see `guise account show`) and make none')
  .option('--json', 'print as JSON')
  .action(async (options) => {
    const { accountKeyCommand } = await import('./commands/account-key.ts');
    await accountKeyCommand(options);
  });

account
  .command('allowlist')
  .description('show or change the IP addresses from which an Enterprise account can be used')
  .requiredOption('--email <email>', 'address of the account')
  .option('--set <ranges>', 'the new list, which replaces the old one: CIDR ranges, separated by commas')
  .option('--clear', 'remove the list: every address is allowed')
  .option('--json', 'print as JSON')
  .action(async (options) => {
    const { accountAllowlistCommand } = await import('./commands/account-allowlist.ts');
    await accountAllowlistCommand(options);
  });

account
  .command('link')
  .description('make a link that signs in to the dashboard; it works once, within an hour')
  .requiredOption('--email <email>', 'address of the account')
  .option('--json', 'print as JSON')
  .action(async (options) => {
    const { accountLinkCommand } = await import('./commands/account-link.ts');
    await accountLinkCommand(options);
  });

account
  .command('invite')
  .description('make an invitation to sign up in the dashboard')
  .option('--email <email>', 'address that can use the invitation (default: any)')
  .option('--plan <plan>', 'free, pro or enterprise (default: what GUISE_STARTING_PLAN says)')
  .option('--json', 'print as JSON')
  .action(async (options) => {
    const { accountInviteCommand } = await import('./commands/account-invite.ts');
    await accountInviteCommand(options);
  });

program
  .command('backup')
  .description('write accounts, keys, tasks and media to DIR; works while the service runs')
  .argument('<dir>', 'a new folder; it will contain secrets')
  .option('--json', 'print as JSON')
  .action(async (dir, options) => {
    const { backupCommand } = await import('./commands/backup.ts');
    await backupCommand(dir, options);
  });

program
  .command('restore')
  .description('fill a new installation from a backup; it must never have been started')
  .argument('<dir>', 'folder that `guise backup` wrote')
  .option('--expect <sum>', 'checksum that `guise backup` printed: any other folder is refused')
  .option('--json', 'print as JSON')
  .action(async (dir, options) => {
    const { restoreCommand } = await import('./commands/restore.ts');
    await restoreCommand(dir, options);
  });

account
  .command('export')
  .description('print everything that an account holds, but for its files, as one JSON object a line')
  .requiredOption('--email <email>', 'address of the account')
  .option('-o, --output <file>', 'write it to this file instead')
  .option('--force', 'replace the file if it exists')
  .action(async (options) => {
    const { exportAccountCommand } = await import('./commands/account-export.ts');
    await exportAccountCommand(options);
  });

account
  .command('delete-files')
  .description('delete all files and saved faces of an account now, and cancel its unfinished tasks')
  .requiredOption('--email <email>', 'address of the account')
  .option('--json', 'print as JSON')
  .action(async (options) => {
    const { deleteFilesCommand } = await import('./commands/account-delete-files.ts');
    await deleteFilesCommand(options);
  });

const webhook = program
  .command('webhook')
  .description('the webhooks of an account; works with or without a running service');

webhook
  .command('list')
  .description('list the webhook events of an account, newest first, with every attempt')
  .requiredOption('--email <email>', 'address of the account')
  .option('--cursor <cursor>', 'show older events: the cursor that the previous list printed at its end')
  .option('--json', 'print as JSON')
  .action(async (options) => {
    const { listWebhooksCommand } = await import('./commands/webhook-list.ts');
    await listWebhooksCommand(options);
  });

webhook
  .command('resend')
  .description('send an event again, with the same id and the same bytes')
  .argument('<event>', 'id of the event, evt_...')
  .requiredOption('--email <email>', 'address of the account')
  .option('--json', 'print as JSON')
  .action(async (event, options) => {
    const { resendWebhookCommand } = await import('./commands/webhook-resend.ts');
    await resendWebhookCommand(event, options);
  });

webhook
  .command('rotate-secret')
  .description('make a new signing secret; events are also signed with the old one for 24 hours')
  .requiredOption('--email <email>', 'address of the account')
  .option('--json', 'print as JSON')
  .action(async (options) => {
    const { rotateWebhookSecretCommand } = await import('./commands/webhook-rotate-secret.ts');
    await rotateWebhookSecretCommand(options);
  });

program
  .command('signing')
  .description('the certificate that results are signed with')
  .command('rotate')
  .description('make a new certificate and key; what was signed before is still recognised')
  .option('--json', 'print as JSON')
  .action(async (options) => {
    const { rotateSigningCommand } = await import('./commands/signing-rotate.ts');
    await rotateSigningCommand(options);
  });

const keys = program
  .command('keys')
  .description('the keys of this installation; works with or without a running service');

keys
  .command('list')
  .description('list every key: where it is stored, how old it is, and which command replaces it')
  .option('--json', 'print as JSON')
  .action(async (options) => {
    const { listKeysCommand } = await import('./commands/keys-list.ts');
    await listKeysCommand(options);
  });

keys
  .command('rotate')
  .description('make a new key; links and sign-ins that the old key signed stay valid until they expire')
  .addArgument(
    new Argument('<name>', 'name of the key').choices([
      'file-links',
      'sign-in',
      'known-places',
      'encryption',
    ]),
  )
  .option('--urgent', 'make everything that the old key signed invalid at once, for example after a leak')
  .option('--json', 'print as JSON')
  .addHelpText('after', '\n`guise signing rotate` makes a new key that results are signed with.')
  .action(async (name, options) => {
    const { rotateKeyCommand } = await import('./commands/keys-rotate.ts');
    await rotateKeyCommand(name, options);
  });

const face = program
  .command('face')
  .description('saved faces of accounts; works with or without a running service');

face
  .command('list')
  .description('list the faces that an account has saved, with their consents')
  .requiredOption('--email <email>', 'address of the account')
  .option('--json', 'print as JSON')
  .action(async (options) => {
    const { listFacesCommand } = await import('./commands/face/list.ts');
    await listFacesCommand(options);
  });

face
  .command('withdraw')
  .description('withdraw the consent to use a face: its tasks end, and its photos and results are deleted')
  .argument('<id>', 'id of the face')
  .option('--json', 'print as JSON')
  .action(async (id, options) => {
    const { withdrawFaceCommand } = await import('./commands/face/withdraw.ts');
    await withdrawFaceCommand(id, options);
  });

const blocklist = program
  .command('blocklist')
  .description('people whose faces must not be used; works with or without a running service');

blocklist
  .command('add')
  .description('add the person of a photo; the photo is not stored, only an encrypted embedding')
  .argument('<photo>', 'photo of the person alone')
  .requiredOption('--name <name>', 'name of the person')
  .requiredOption('--why <reason>', 'why the face must not be used')
  .option('--json', 'print as JSON')
  .action(async (photo, options) => {
    const { addBlockedCommand } = await import('./commands/blocklist/add.ts');
    await addBlockedCommand(photo, options);
  });

blocklist
  .command('list')
  .description('list the people, newest first')
  .option('--json', 'print as JSON')
  .action(async (options) => {
    const { listBlockedCommand } = await import('./commands/blocklist/list.ts');
    await listBlockedCommand(options);
  });

blocklist
  .command('remove')
  .description('remove a person')
  .argument('<id>', 'id that the list shows')
  .option('--json', 'print as JSON')
  .action(async (id, options) => {
    const { removeBlockedCommand } = await import('./commands/blocklist/remove.ts');
    await removeBlockedCommand(id, options);
  });

const audit = program
  .command('audit')
  .description(
    'the audit log, which says what operators and commands changed; works with or without a running service',
  );

audit
  .command('verify')
  .description('check that no entry was changed or removed, and print the hash of the newest one')
  .option('--file <file>', 'check this export, without an installation')
  .option('--json', 'print as JSON')
  .addHelpText('after', '\nExit code 0: every entry is intact.')
  .action(async (options) => {
    const { verifyAuditCommand } = await import('./commands/audit-verify.ts');
    await verifyAuditCommand(options);
  });

audit
  .command('export')
  .description('print all entries with their hashes as JSON, one a line, oldest first')
  .option('-o, --output <file>', 'write them to this file instead')
  .option('--force', 'replace the file if it exists')
  .action(async (options) => {
    const { exportAuditCommand } = await import('./commands/audit-export.ts');
    await exportAuditCommand(options);
  });

function defaults(name: keyof RestoreOptions): string {
  return `(default: ${STILL_RESTORE[name]}, of a video or GIF ${CLIP_RESTORE[name]})`;
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!WHOLE_NUMBER.test(text) || !Number.isSafeInteger(value)) {
    throw new InvalidArgumentError('It must be a whole number in plain digits.');
  }
  return value;
}

function index(text: string): number {
  const value = wholeNumber(text);
  if (value < 0) throw new InvalidArgumentError('It must be 0 or more.');
  return value;
}

function boost(text: string): number {
  const value = index(text);
  if (value < 1 || value > MAX_BOOST) throw new InvalidArgumentError(`It must be 1 to ${MAX_BOOST}.`);
  return value;
}

function mapping(text: string, before: readonly FaceMap[] = []): readonly FaceMap[] {
  const [, number, file] = /^(\d+)=(.+)$/.exec(text) ?? [];
  if (number === undefined || file === undefined)
    throw new InvalidArgumentError('It must be the number of a face or person and a file, like 0=ada.jpg.');
  const n = index(number);
  if (before.some((each) => each.index === n))
    throw new InvalidArgumentError(`Number ${n} has a face already.`);
  if (before.length === AI_TASKS_LIMITS.groupFaces)
    throw new InvalidArgumentError(`At most ${AI_TASKS_LIMITS.groupFaces} faces can be mapped.`);
  return [...before, { index: n, file }];
}

function seconds(text: string): number {
  if (!DECIMAL_NUMBER.test(text))
    throw new InvalidArgumentError('It must be a number of seconds in plain digits.');
  return Number(text);
}

function zeroToOne(text: string): number {
  const value = Number(text);
  if (!DECIMAL_NUMBER.test(text) || value > 1) {
    throw new InvalidArgumentError('It must be a number from 0 to 1 in plain digits.');
  }
  return value;
}

/** Lets the errors of a command and of those below it name its own help. */
function explain(command: Command, name: string): void {
  command.showHelpAfterError(`(${name} --help explains)`);
  for (const each of command.commands) explain(each, `${name} ${each.name()}`);
}
explain(program, 'guise');
