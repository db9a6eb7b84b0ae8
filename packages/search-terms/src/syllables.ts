/** A syllable of pinyin without its tone, `ü` written as `u`. */
export interface Syllable {
  readonly text: string;
  /** Its first letter. */
  readonly initial: string;
  /** Its place in the list: the same in every version. New ones come last. */
  readonly number: number;
}

/** The sound of a character: a syllable in one or several tones. */
export interface Sound {
  readonly syllable: Syllable;
  /** Each of `0` to `4`. */
  readonly tones: string;
}

/** Every syllable that the dictionary of pinyin-pro gives, in the order of their numbers. */
const texts = `
a ai an ang ao ba bai ban bang bao bei ben beng bi bian biao bie bin bing bo bu ca cai can cang cao ce cen ceng cha chai
chan chang chao che chen cheng chi chong chou chu chua chuai chuan chuang chui chun chuo ci cong cou cu cuan cui cun cuo
da dai dan dang dao de dei den deng di dia dian diao die ding diu dong dou du duan dui dun duo e ei en eng er fa fan fang
fei fen feng fo fou fu ga gai gan gang gao ge gei gen geng gong gou gu gua guai guan guang gui gun guo ha hai han hang hao
he hei hen heng hng hong hou hu hua huai huan huang hui hun huo ji jia jian jiang jiao jie jin jing jiong jiu ju juan jue
jun ka kai kan kang kao ke kei ken keng kong kou ku kua kuai kuan kuang kui kun kuo la lai lan lang lao le lei leng li lia
lian liang liao lie lin ling liu lo long lou lu luan lue lun luo m ma mai man mang mao me mei men meng mi mian miao mie min
ming miu mo mou mu n na nai nan nang nao ne nei nen neng ng ni nian niang niao nie nin ning niu nong nou nu nuan nue nuo o
ou pa pai pan pang pao pei pen peng pi pian piao pie pin ping po pou pu qi qia qian qiang qiao qie qin qing qiong qiu qu
quan que qun ran rang rao re ren reng ri rong rou ru rua ruan rui run ruo sa sai san sang sao se sen seng sha shai shan
shang shao she shei shen sheng shi shou shu shua shuai shuan shuang shui shun shuo si song sou su suan sui sun suo ta tai
tan tang tao te tei teng ti tian tiao tie ting tong tou tu tuan tui tun tuo wa wai wan wang wei wen weng wo wu xi xia xian
xiang xiao xie xin xing xiong xiu xu xuan xue xun ya yan yang yao ye yi yin ying yo yong you yu yuan yue yun za zai zan zang
zao ze zei zen zeng zha zhai zhan zhang zhao zhe zhei zhen zheng zhi zhong zhou zhu zhua zhuai zhuan zhuang zhui zhun zhuo
zi zong zou zu zuan zui zun zuo
`;

/** Every syllable by its text. */
const syllables: ReadonlyMap<string, Syllable> = new Map(
  texts
    .trim()
    .split(/\s+/)
    .map((text, number) => [text, { text, initial: text.charAt(0), number }]),
);

const all = [...syllables.values()];

/** The syllables that begin with a letter. Without `Map.groupBy`: a Node that lacks it must load this, to refuse itself by a sentence. */
export const syllablesFrom: ReadonlyMap<string, readonly Syllable[]> = new Map(
  all.map(({ initial }) => [initial, all.filter((one) => one.initial === initial)]),
);

const written = /^(?<text>[a-z]+)(?<tone>[0-5]?)$/;

/**
 * Parses a text such as `lü4`. Null if it is not a syllable of the list, such as the readings of characters that
 * are made up of two.
 */
export function readSound(text: string): Sound | null {
  const { groups } = written.exec(text.normalize("NFKD").replaceAll(/\p{M}/gu, "")) ?? {};
  const syllable = syllables.get(groups?.["text"] ?? "");
  if (syllable === undefined) return null;
  const tone = groups?.["tone"] ?? "";
  return { syllable, tones: tone === "" || tone === "5" ? "0" : tone };
}

/** The same sounds with another one. */
export function withSound(sounds: readonly Sound[], { syllable, tones }: Sound): readonly Sound[] {
  const existing = sounds.find((sound) => sound.syllable === syllable);
  if (existing === undefined) return [...sounds, { syllable, tones }];
  if (existing.tones.includes(tones)) return sounds;
  return sounds.map((sound) => (sound === existing ? { syllable, tones: existing.tones + tones } : sound));
}
